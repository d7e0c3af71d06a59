CREATE TABLE "audit_chains" (
	"workgroup" text PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"workgroup" text NOT NULL,
	"seq" bigint NOT NULL,
	"at" bigint NOT NULL,
	"body" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "audit_entries_workgroup_seq_pk" PRIMARY KEY("workgroup","seq")
);
--> statement-breakpoint
CREATE TABLE "audit_waiting" (
	"workgroup" text NOT NULL,
	"seq" bigint NOT NULL,
	CONSTRAINT "audit_waiting_workgroup_seq_pk" PRIMARY KEY("workgroup","seq")
);
--> statement-breakpoint
CREATE FUNCTION audit_entries_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND current_setting('albedo.removed_workgroup', true) = OLD.workgroup THEN
		RETURN OLD;
	END IF;
	RAISE EXCEPTION 'entries of the audit log are never changed';
END
$$;--> statement-breakpoint
CREATE TRIGGER audit_entries_stay BEFORE UPDATE OR DELETE ON "audit_entries" FOR EACH ROW EXECUTE FUNCTION audit_entries_stay();--> statement-breakpoint
CREATE TRIGGER audit_entries_stay_all BEFORE TRUNCATE ON "audit_entries" FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_stay();
