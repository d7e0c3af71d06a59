CREATE TABLE "data_drops" (
	"workgroup" text NOT NULL,
	"tbl" text NOT NULL,
	"month" text NOT NULL,
	"by" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"done_at" timestamp with time zone,
	"events" bigint DEFAULT 0 NOT NULL,
	"came_later" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "data_drops_workgroup_tbl_month_pk" PRIMARY KEY("workgroup","tbl","month")
);
--> statement-breakpoint
CREATE TABLE "legal_holds" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"tbl" text NOT NULL,
	"month" text,
	"reason" text NOT NULL,
	"by" text NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "data_drops" ADD CONSTRAINT "data_drops_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "legal_holds" ADD CONSTRAINT "legal_holds_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;