CREATE TABLE "external_sources" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"device_id" uuid NOT NULL,
	"serial" serial NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"is_enabled" boolean NOT NULL,
	"format" text NOT NULL,
	"records_path" text NOT NULL,
	"mapping" jsonb NOT NULL,
	"pull" jsonb,
	"secret" text,
	"token_hash" text,
	"last_run_at" timestamp with time zone,
	"last_ok_at" timestamp with time zone,
	"last_error" text,
	"last_events" integer,
	"failures" integer DEFAULT 0 NOT NULL,
	"newest_at" timestamp with time zone,
	"next_at" timestamp with time zone,
	CONSTRAINT "external_sources_by_name" UNIQUE("workgroup","name")
);
--> statement-breakpoint
ALTER TABLE "external_sources" ADD CONSTRAINT "external_sources_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "external_sources" ADD CONSTRAINT "external_sources_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;