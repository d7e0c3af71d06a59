CREATE TABLE "security_findings" (
	"job_id" uuid NOT NULL,
	"key" text NOT NULL,
	"state" text NOT NULL,
	"description" text NOT NULL,
	"addresses" jsonb NOT NULL,
	"before" jsonb,
	"known_since" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"gone_at" timestamp with time zone,
	"accepted_note" text,
	"accepted_by" text,
	"accepted_at" timestamp with time zone,
	CONSTRAINT "security_findings_job_id_key_pk" PRIMARY KEY("job_id","key")
);
--> statement-breakpoint
CREATE TABLE "security_jobs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"device_id" uuid NOT NULL,
	"task" text NOT NULL,
	"enabled" boolean NOT NULL,
	"state" text DEFAULT 'idle' NOT NULL,
	"state_at" timestamp with time zone DEFAULT now() NOT NULL,
	"by" text,
	"last_scan" jsonb,
	"unaccepted" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "security_jobs_once" UNIQUE("device_id","task")
);
--> statement-breakpoint
CREATE TABLE "security_scans" (
	"id" uuid PRIMARY KEY NOT NULL,
	"job_id" uuid NOT NULL,
	"ended_at" timestamp with time zone NOT NULL,
	"scan" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "security_findings" ADD CONSTRAINT "security_findings_job_id_security_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."security_jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "security_jobs" ADD CONSTRAINT "security_jobs_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "security_jobs" ADD CONSTRAINT "security_jobs_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "security_scans" ADD CONSTRAINT "security_scans_job_id_security_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."security_jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "security_jobs_of_workgroup" ON "security_jobs" USING btree ("workgroup","task");--> statement-breakpoint
CREATE INDEX "security_scans_by_time" ON "security_scans" USING btree ("job_id","ended_at");