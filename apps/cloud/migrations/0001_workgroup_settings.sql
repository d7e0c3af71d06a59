CREATE TABLE "workgroup_addons" (
	"workgroup" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "workgroup_addons_workgroup_id_pk" PRIMARY KEY("workgroup","id")
);
--> statement-breakpoint
CREATE TABLE "workgroup_settings" (
	"workgroup" text NOT NULL,
	"key" text NOT NULL,
	"value" jsonb,
	CONSTRAINT "workgroup_settings_workgroup_key_pk" PRIMARY KEY("workgroup","key")
);
--> statement-breakpoint
ALTER TABLE "workgroups" ADD COLUMN "theme" jsonb;--> statement-breakpoint
ALTER TABLE "workgroups" ADD COLUMN "idp_id" uuid;--> statement-breakpoint
ALTER TABLE "workgroup_addons" ADD CONSTRAINT "workgroup_addons_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workgroup_settings" ADD CONSTRAINT "workgroup_settings_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;