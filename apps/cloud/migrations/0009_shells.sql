CREATE TABLE "device_command_outcomes" (
	"workgroup" text NOT NULL,
	"run_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"state" text NOT NULL,
	"stdout" text DEFAULT '' NOT NULL,
	"stderr" text DEFAULT '' NOT NULL,
	"return_code" integer,
	"error" text,
	"took_ms" integer,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "device_command_outcomes_run_id_device_id_pk" PRIMARY KEY("run_id","device_id")
);
--> statement-breakpoint
CREATE TABLE "device_commands" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"device_id" uuid,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"command" text NOT NULL,
	"parameters" jsonb NOT NULL,
	"timeout_s" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "remote_access" (
	"workgroup" text PRIMARY KEY NOT NULL,
	"is_allowed" boolean NOT NULL,
	"changed_by" text NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shell_parts" (
	"session_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"at_ms" integer NOT NULL,
	"output" text,
	"cols" integer,
	"rows" integer,
	CONSTRAINT "shell_parts_session_id_number_pk" PRIMARY KEY("session_id","number")
);
--> statement-breakpoint
CREATE TABLE "shell_sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"device_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"by" text NOT NULL,
	"opened_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"end" text,
	"bytes" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "device_command_outcomes" ADD CONSTRAINT "device_command_outcomes_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_commands" ADD CONSTRAINT "device_commands_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_commands" ADD CONSTRAINT "device_commands_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remote_access" ADD CONSTRAINT "remote_access_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shell_parts" ADD CONSTRAINT "shell_parts_session_id_shell_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."shell_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shell_sessions" ADD CONSTRAINT "shell_sessions_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "device_command_outcomes_of" ON "device_command_outcomes" USING btree ("workgroup","at");--> statement-breakpoint
CREATE UNIQUE INDEX "device_commands_name" ON "device_commands" USING btree ("workgroup",coalesce("device_id", '00000000-0000-0000-0000-000000000000'),"name");--> statement-breakpoint
CREATE INDEX "shell_sessions_of_device" ON "shell_sessions" USING btree ("device_id","opened_at");--> statement-breakpoint
CREATE INDEX "shell_sessions_of_user" ON "shell_sessions" USING btree ("user_id","opened_at");