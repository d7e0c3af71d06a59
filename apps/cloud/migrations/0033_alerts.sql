CREATE TABLE "alerts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"name" text NOT NULL,
	"content" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"shipped" text,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "alert_suppressions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"name" text NOT NULL,
	"content" jsonb NOT NULL,
	"created_by" text NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "incident_steps" (
	"seq" bigserial PRIMARY KEY NOT NULL,
	"workgroup" text NOT NULL,
	"incident" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"action" text NOT NULL,
	"by_user" text,
	"value" jsonb,
	"text" text,
	"state" text NOT NULL,
	"is_copied" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "incidents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"alert" uuid NOT NULL,
	"subject_key" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"finding" text,
	"severity" text NOT NULL,
	"category" text,
	"device" uuid,
	"table_name" text,
	"source" text,
	"subject" text NOT NULL,
	"condition" text NOT NULL,
	"is_latched" boolean DEFAULT false NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"cleared_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"close_reason" text,
	"acknowledged" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"shelved_until" timestamp with time zone,
	"shelved_reason" text,
	"silenced" text,
	"caused_by" uuid,
	"count" integer DEFAULT 1 NOT NULL,
	"reading" jsonb NOT NULL,
	"energy" jsonb
);
--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_suppressions" ADD CONSTRAINT "alert_suppressions_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_steps" ADD CONSTRAINT "incident_steps_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_by_name" ON "alerts" USING btree ("workgroup","name") WHERE "alerts"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_shipped" ON "alerts" USING btree ("workgroup","shipped");--> statement-breakpoint
CREATE INDEX "incident_steps_of" ON "incident_steps" USING btree ("incident","seq");--> statement-breakpoint
CREATE INDEX "incident_steps_waiting" ON "incident_steps" USING btree ("seq") WHERE not "incident_steps"."is_copied";--> statement-breakpoint
CREATE UNIQUE INDEX "incidents_open" ON "incidents" USING btree ("alert","subject_key") WHERE "incidents"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "incidents_by_time" ON "incidents" USING btree ("workgroup","created_at");--> statement-breakpoint
CREATE INDEX "incidents_open_of" ON "incidents" USING btree ("workgroup") WHERE "incidents"."closed_at" is null;