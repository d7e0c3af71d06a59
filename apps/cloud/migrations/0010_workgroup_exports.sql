CREATE TABLE "workgroup_exports" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"workgroup" text NOT NULL,
	"asked_by" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "last_sign_in_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "workgroup_exports" ADD CONSTRAINT "workgroup_exports_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;