CREATE TABLE "completeness_imported" (
	"import_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"tbl" text NOT NULL,
	"source" text NOT NULL,
	"name" text NOT NULL,
	"by" text NOT NULL,
	"events" bigint NOT NULL,
	"first_event_at" timestamp with time zone NOT NULL,
	"last_event_at" timestamp with time zone NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "completeness_imported_import_id_device_id_tbl_source_pk" PRIMARY KEY("import_id","device_id","tbl","source")
);
--> statement-breakpoint
CREATE TABLE "history_imports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"serial" serial NOT NULL,
	"name" text NOT NULL,
	"format" text NOT NULL,
	"bytes" bigint NOT NULL,
	"received" bigint DEFAULT 0 NOT NULL,
	"parts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"state" text DEFAULT 'uploading' NOT NULL,
	"plan" jsonb,
	"counts" jsonb NOT NULL,
	"faults" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"first_at" timestamp with time zone,
	"last_at" timestamp with time zone,
	"error" text,
	"by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"action_id" uuid,
	"seen_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "history_imports" ADD CONSTRAINT "history_imports_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "completeness_imported_device" ON "completeness_imported" USING btree ("device_id","at");--> statement-breakpoint
CREATE INDEX "history_imports_by_time" ON "history_imports" USING btree ("workgroup","created_at");