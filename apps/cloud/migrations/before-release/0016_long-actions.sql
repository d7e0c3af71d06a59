CREATE TABLE "long_actions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workgroup" text,
	"owner_id" uuid NOT NULL,
	"owner_email" text NOT NULL,
	"owner_address" text NOT NULL,
	"kind" text NOT NULL,
	"about" text NOT NULL,
	"input" jsonb NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"progress" real,
	"result" jsonb,
	"file_name" text,
	"file_type" text,
	"file_size" bigint,
	"error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"cancelled_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"link_hash" text,
	"link_expires_at" timestamp with time zone,
	CONSTRAINT "long_actions_link_hash_unique" UNIQUE("link_hash")
);
--> statement-breakpoint
ALTER TABLE "long_actions" ADD CONSTRAINT "long_actions_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
CREATE INDEX "long_actions_workgroup_owner_id_index" ON "long_actions" USING btree ("workgroup","owner_id");--> statement-breakpoint
CREATE INDEX "long_actions_expires_at_index" ON "long_actions" USING btree ("expires_at");