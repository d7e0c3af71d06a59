CREATE TABLE "shell_rules" (
	"workgroup" text PRIMARY KEY NOT NULL,
	"factor" text NOT NULL,
	"changed_by" text NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "shell_rules" ADD CONSTRAINT "shell_rules_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;