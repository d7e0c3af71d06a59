CREATE TABLE "device_twins" (
	"device_id" uuid PRIMARY KEY NOT NULL,
	"desired" text,
	"desired_hash" text,
	"desired_by" text,
	"desired_at" timestamp with time zone,
	"reported" text,
	"reported_hash" text,
	"reported_at" timestamp with time zone,
	"differs_since" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "device_twins" ADD CONSTRAINT "device_twins_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;