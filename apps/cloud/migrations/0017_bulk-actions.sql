CREATE TABLE "bulk_actions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"about" text NOT NULL,
	"work" jsonb NOT NULL,
	"plan" jsonb NOT NULL,
	"state" text NOT NULL,
	"stop" jsonb,
	"wave" integer DEFAULT 0 NOT NULL,
	"waves" integer NOT NULL,
	"baselines" jsonb,
	"by_user" uuid NOT NULL,
	"by_email" text NOT NULL,
	"by_address" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "bulk_targets" (
	"workgroup" text NOT NULL,
	"action_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"order_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"wave" integer NOT NULL,
	"state" text NOT NULL,
	"message" text,
	"queued_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "bulk_targets_action_id_device_id_pk" PRIMARY KEY("action_id","device_id")
);
--> statement-breakpoint
ALTER TABLE "bulk_actions" ADD CONSTRAINT "bulk_actions_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_targets" ADD CONSTRAINT "bulk_targets_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_targets" ADD CONSTRAINT "bulk_targets_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bulk_actions_by_time" ON "bulk_actions" USING btree ("workgroup","created_at");--> statement-breakpoint
CREATE INDEX "bulk_targets_of_device" ON "bulk_targets" USING btree ("device_id","state");