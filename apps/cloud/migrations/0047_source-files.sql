CREATE TABLE "external_source_files" (
	"source_id" uuid NOT NULL,
	"name" text NOT NULL,
	"bytes" bigint NOT NULL,
	"at" bigint,
	"digest" text NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	CONSTRAINT "external_source_files_source_id_name_pk" PRIMARY KEY("source_id","name")
);
--> statement-breakpoint
CREATE TABLE "external_source_runs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"source_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"took_ms" integer NOT NULL,
	"by" text NOT NULL,
	"records" integer NOT NULL,
	"stored" integer NOT NULL,
	"refused" integer NOT NULL,
	"error" text,
	"is_failed" boolean NOT NULL,
	"files" jsonb NOT NULL,
	"faults" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "external_sources" ALTER COLUMN "device_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "external_sources" ALTER COLUMN "mapping" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "external_sources" ADD COLUMN "lookup" jsonb;--> statement-breakpoint
ALTER TABLE "external_sources" ADD COLUMN "sftp" jsonb;--> statement-breakpoint
ALTER TABLE "external_sources" ADD COLUMN "mailbox" jsonb;--> statement-breakpoint
ALTER TABLE "external_sources" ADD COLUMN "cursor" jsonb;--> statement-breakpoint
ALTER TABLE "external_source_files" ADD CONSTRAINT "external_source_files_source_id_external_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."external_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "external_source_runs" ADD CONSTRAINT "external_source_runs_source_id_external_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."external_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "external_source_runs_by_source" ON "external_source_runs" USING btree ("source_id","at");