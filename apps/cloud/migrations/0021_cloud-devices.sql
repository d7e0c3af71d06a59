CREATE TABLE "cloud_device_secrets" (
	"device_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"sealed" text NOT NULL,
	"bytes" integer NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cloud_device_secrets_device_id_kind_name_pk" PRIMARY KEY("device_id","kind","name")
);
--> statement-breakpoint
CREATE TABLE "cloud_devices" (
	"device_id" uuid PRIMARY KEY NOT NULL,
	"cloud" text NOT NULL,
	"is_wanted" boolean NOT NULL,
	"state" text DEFAULT 'stopped' NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"restarts" integer DEFAULT 0 NOT NULL,
	"last_end" text,
	"memory_mb" integer,
	"disk_mb" integer,
	"keeper" uuid,
	"kept_until" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "cloud_device_secrets" ADD CONSTRAINT "cloud_device_secrets_device_id_cloud_devices_device_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."cloud_devices"("device_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cloud_devices" ADD CONSTRAINT "cloud_devices_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;