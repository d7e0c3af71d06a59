CREATE TABLE "saved_versions" (
	"workgroup" text NOT NULL,
	"kind" text NOT NULL,
	"thing" text NOT NULL,
	"version" integer NOT NULL,
	"name" text NOT NULL,
	"content" jsonb NOT NULL,
	"by" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "saved_versions_workgroup_kind_thing_version_pk" PRIMARY KEY("workgroup","kind","thing","version")
);
--> statement-breakpoint
ALTER TABLE "saved_versions" ADD CONSTRAINT "saved_versions_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;