CREATE TABLE "device_backup_plans" (
	"device_id" uuid PRIMARY KEY NOT NULL,
	"every" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_backups" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"device_id" uuid NOT NULL,
	"device_name" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"by" text,
	"reason" text NOT NULL,
	"bytes" integer NOT NULL,
	"hash" text NOT NULL,
	"files" integer NOT NULL,
	"commands" jsonb NOT NULL,
	"file_key" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "remote_confirmations" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"used_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tunnels" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"device_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"by" text NOT NULL,
	"kind" text NOT NULL,
	"host" text NOT NULL,
	"port" integer NOT NULL,
	"token_hash" text NOT NULL,
	"label" text,
	"opened_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"end" text,
	"connections" integer DEFAULT 0 NOT NULL,
	"bytes_down" bigint DEFAULT 0 NOT NULL,
	"bytes_up" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "tunnels_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "tunnels_label_unique" UNIQUE("label")
);
--> statement-breakpoint
ALTER TABLE "device_backup_plans" ADD CONSTRAINT "device_backup_plans_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_backups" ADD CONSTRAINT "device_backups_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remote_confirmations" ADD CONSTRAINT "remote_confirmations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tunnels" ADD CONSTRAINT "tunnels_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "device_backups_of_device" ON "device_backups" USING btree ("workgroup","device_id","at");--> statement-breakpoint
CREATE INDEX "tunnels_of_device" ON "tunnels" USING btree ("device_id","opened_at");