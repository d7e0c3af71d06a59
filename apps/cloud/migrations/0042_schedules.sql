CREATE TABLE "control_policies" (
	"workgroup" text PRIMARY KEY NOT NULL,
	"two_people" text NOT NULL,
	"changed_by" text NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_schedules" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"device_id" uuid NOT NULL,
	"setpoint" text NOT NULL,
	"schedule_id" uuid,
	"entries" jsonb NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"until" timestamp with time zone,
	"origin" text NOT NULL,
	"state" text NOT NULL,
	"step" text,
	"asked" jsonb,
	"reason" text,
	"version" integer,
	"author" text,
	"author_id" uuid,
	"editors" jsonb NOT NULL,
	"editor_ids" jsonb NOT NULL,
	"approver" text,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"approvable_until" timestamp with time zone,
	"trial_until" timestamp with time zone,
	"applied_at" timestamp with time zone,
	"inverters" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_setpoints" (
	"workgroup" text NOT NULL,
	"device_id" uuid NOT NULL,
	"path" text NOT NULL,
	"kind" text NOT NULL,
	"type" text NOT NULL,
	"is_enabled" boolean NOT NULL,
	"value" text,
	"fault" text,
	"current_id" uuid,
	"current_version" integer,
	"last_version" integer DEFAULT 0 NOT NULL,
	"lease_until" timestamp with time zone,
	"look_at" timestamp with time zone,
	"bounds" jsonb NOT NULL,
	"discovered_at" timestamp with time zone NOT NULL,
	CONSTRAINT "device_setpoints_device_id_path_pk" PRIMARY KEY("device_id","path")
);
--> statement-breakpoint
CREATE TABLE "schedule_versions" (
	"workgroup" text NOT NULL,
	"device_id" uuid NOT NULL,
	"setpoint" text NOT NULL,
	"version" integer NOT NULL,
	"device_schedule_id" uuid NOT NULL,
	"name" text NOT NULL,
	"origin" text NOT NULL,
	"entries" jsonb NOT NULL,
	"until" timestamp with time zone,
	"ordered" jsonb NOT NULL,
	"ends_at" bigint,
	"trial_until" timestamp with time zone,
	"author" text,
	"approver" text,
	"reason" text,
	"before" integer,
	"is_stop" boolean NOT NULL,
	"is_revert" boolean DEFAULT false NOT NULL,
	"outcome" text NOT NULL,
	"why" text,
	"send_by" timestamp with time zone,
	"sent_at" timestamp with time zone DEFAULT now() NOT NULL,
	"tried_at" timestamp with time zone,
	"taken_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "schedule_versions_device_id_setpoint_version_pk" PRIMARY KEY("device_id","setpoint","version")
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"entries" jsonb NOT NULL,
	"author" text NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "control_policies" ADD CONSTRAINT "control_policies_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_schedules" ADD CONSTRAINT "device_schedules_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_schedules" ADD CONSTRAINT "device_schedules_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_schedules" ADD CONSTRAINT "device_schedules_schedule_id_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."schedules"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_setpoints" ADD CONSTRAINT "device_setpoints_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_setpoints" ADD CONSTRAINT "device_setpoints_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_versions" ADD CONSTRAINT "schedule_versions_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_versions" ADD CONSTRAINT "schedule_versions_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "device_schedules_of_device" ON "device_schedules" USING btree ("workgroup","device_id","changed_at");--> statement-breakpoint
CREATE UNIQUE INDEX "device_schedules_pending" ON "device_schedules" USING btree ("device_id","setpoint") WHERE "device_schedules"."state" = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "schedule_versions_pending" ON "schedule_versions" USING btree ("device_id","setpoint") WHERE "schedule_versions"."outcome" = 'pending';--> statement-breakpoint
CREATE INDEX "schedules_by_name" ON "schedules" USING btree ("workgroup","name");