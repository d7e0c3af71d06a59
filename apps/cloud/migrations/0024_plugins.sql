CREATE TABLE "device_plugins" (
	"device_id" uuid PRIMARY KEY NOT NULL,
	"plugins" jsonb NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "device_plugins" ADD CONSTRAINT "device_plugins_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;