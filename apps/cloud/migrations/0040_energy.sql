CREATE TABLE "energy_budgets" (
	"workgroup" text NOT NULL,
	"subject" text NOT NULL,
	"month" date NOT NULL,
	"energy_kwh" double precision NOT NULL,
	"performance_ratio" double precision,
	"irradiation_kwh_m2" double precision,
	CONSTRAINT "energy_budgets_workgroup_subject_month_pk" PRIMARY KEY("workgroup","subject","month")
);
--> statement-breakpoint
CREATE TABLE "energy_configs" (
	"workgroup" text NOT NULL,
	"name" text NOT NULL,
	"version" integer NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "energy_configs_workgroup_name_pk" PRIMARY KEY("workgroup","name")
);
--> statement-breakpoint
CREATE TABLE "energy_days" (
	"workgroup" text NOT NULL,
	"device" uuid NOT NULL,
	"table_name" text NOT NULL,
	"source" text NOT NULL,
	"day" date NOT NULL,
	"method" text,
	"samples" integer NOT NULL,
	"coverage" double precision NOT NULL,
	"first_at" bigint,
	"last_at" bigint,
	"energy_kwh" double precision,
	"dc_kwh" double precision,
	"expected_kwh" double precision,
	"irradiation_kwh_m2" double precision,
	"light" text,
	"rated_kw" double precision,
	"rated_kwh" double precision,
	"peak_kwh" double precision,
	"peak_kwp" double precision,
	"reference_kwh" double precision,
	"used_reference_kwh" double precision,
	"used_kwh" double precision,
	"used_dc_kwh" double precision,
	"used_dc_ac_kwh" double precision,
	"used_dc_reference_kwh" double precision,
	"warm_kwh" double precision,
	"warm_reference_kwh" double precision,
	"warmth_kwh_c" double precision,
	"used_hours" double precision,
	"missed_hours" double precision,
	"available_hours" double precision,
	"unavailable_hours" double precision,
	"contract_available_hours" double precision,
	"contract_unavailable_hours" double precision,
	"lost_kwh" double precision,
	"power_curve_kwh" double precision,
	"bins" jsonb,
	"counter" jsonb,
	"azimuth" double precision,
	"marks" jsonb NOT NULL,
	"rules" integer NOT NULL,
	"computed_at" bigint NOT NULL,
	CONSTRAINT "energy_days_workgroup_device_table_name_source_day_pk" PRIMARY KEY("workgroup","device","table_name","source","day")
);
--> statement-breakpoint
CREATE TABLE "energy_device_days" (
	"workgroup" text NOT NULL,
	"device" uuid NOT NULL,
	"day" date NOT NULL,
	"energy_kwh" double precision,
	"dc_kwh" double precision,
	"expected_kwh" double precision,
	"irradiation_kwh_m2" double precision,
	"light" text,
	"rated_kw" double precision,
	"rated_kwh" double precision,
	"peak_kwh" double precision,
	"peak_kwp" double precision,
	"reference_kwh" double precision,
	"used_reference_kwh" double precision,
	"used_kwh" double precision,
	"used_dc_kwh" double precision,
	"used_dc_ac_kwh" double precision,
	"used_dc_reference_kwh" double precision,
	"warm_kwh" double precision,
	"warm_reference_kwh" double precision,
	"warmth_kwh_c" double precision,
	"used_hours" double precision,
	"missed_hours" double precision,
	"available_hours" double precision,
	"unavailable_hours" double precision,
	"contract_available_hours" double precision,
	"contract_unavailable_hours" double precision,
	"lost_kwh" double precision,
	"paired_kwh" double precision,
	"paired_expected_kwh" double precision,
	"yield_kwh" double precision,
	"yield_peak_kwh" double precision,
	"yield_peak_kwp" double precision,
	"rated_energy_kwh" double precision,
	"energy_rated_kwh" double precision,
	"reference_peak_kwp" double precision,
	"used_peak_kwp" double precision,
	"used_dc_peak_kwp" double precision,
	"sources" integer NOT NULL,
	"counted" integer NOT NULL,
	"computed_at" bigint NOT NULL,
	CONSTRAINT "energy_device_days_workgroup_device_day_pk" PRIMARY KEY("workgroup","device","day")
);
--> statement-breakpoint
CREATE TABLE "energy_import_rows" (
	"import" uuid NOT NULL,
	"key" text NOT NULL,
	"at" bigint NOT NULL,
	"now" double precision NOT NULL,
	"was" jsonb,
	CONSTRAINT "energy_import_rows_import_key_at_pk" PRIMARY KEY("import","key","at")
);
--> statement-breakpoint
CREATE TABLE "energy_imports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"name" text NOT NULL,
	"plan" jsonb NOT NULL,
	"readings" integer NOT NULL,
	"by" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"undone_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "energy_reviews" (
	"workgroup" text NOT NULL,
	"device" uuid NOT NULL,
	"table_name" text NOT NULL,
	"source" text NOT NULL,
	"day" date NOT NULL,
	"decision" text NOT NULL,
	"energy_kwh" double precision,
	"reason" text NOT NULL,
	"by" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "energy_reviews_workgroup_device_table_name_source_day_pk" PRIMARY KEY("workgroup","device","table_name","source","day")
);
--> statement-breakpoint
CREATE TABLE "energy_watches" (
	"workgroup" text PRIMARY KEY NOT NULL,
	"stored_at" bigint NOT NULL,
	"rules" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "energy_work" (
	"workgroup" text NOT NULL,
	"device" uuid NOT NULL,
	"day" date NOT NULL,
	"touches" integer DEFAULT 1 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" bigint NOT NULL,
	CONSTRAINT "energy_work_workgroup_device_day_pk" PRIMARY KEY("workgroup","device","day")
);
--> statement-breakpoint
CREATE TABLE "meter_readings" (
	"workgroup" text NOT NULL,
	"code" text NOT NULL,
	"at" bigint NOT NULL,
	"day" date NOT NULL,
	"granularity" text NOT NULL,
	"energy_kwh" double precision NOT NULL,
	CONSTRAINT "meter_readings_workgroup_code_at_granularity_pk" PRIMARY KEY("workgroup","code","at","granularity")
);
--> statement-breakpoint
CREATE TABLE "report_selections" (
	"workgroup" text NOT NULL,
	"user_id" uuid NOT NULL,
	"report" text NOT NULL,
	"search" text NOT NULL,
	CONSTRAINT "report_selections_workgroup_user_id_report_pk" PRIMARY KEY("workgroup","user_id","report")
);
--> statement-breakpoint
ALTER TABLE "energy_budgets" ADD CONSTRAINT "energy_budgets_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "energy_configs" ADD CONSTRAINT "energy_configs_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "energy_days" ADD CONSTRAINT "energy_days_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "energy_days" ADD CONSTRAINT "energy_days_device_devices_id_fk" FOREIGN KEY ("device") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "energy_device_days" ADD CONSTRAINT "energy_device_days_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "energy_device_days" ADD CONSTRAINT "energy_device_days_device_devices_id_fk" FOREIGN KEY ("device") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "energy_import_rows" ADD CONSTRAINT "energy_import_rows_import_energy_imports_id_fk" FOREIGN KEY ("import") REFERENCES "public"."energy_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "energy_imports" ADD CONSTRAINT "energy_imports_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "energy_reviews" ADD CONSTRAINT "energy_reviews_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "energy_reviews" ADD CONSTRAINT "energy_reviews_device_devices_id_fk" FOREIGN KEY ("device") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "energy_watches" ADD CONSTRAINT "energy_watches_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "energy_work" ADD CONSTRAINT "energy_work_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "energy_work" ADD CONSTRAINT "energy_work_device_devices_id_fk" FOREIGN KEY ("device") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meter_readings" ADD CONSTRAINT "meter_readings_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_selections" ADD CONSTRAINT "report_selections_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_selections" ADD CONSTRAINT "report_selections_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "energy_days_by_day" ON "energy_days" USING btree ("workgroup","day");--> statement-breakpoint
CREATE INDEX "energy_device_days_by_day" ON "energy_device_days" USING btree ("workgroup","day");--> statement-breakpoint
CREATE INDEX "energy_imports_by_time" ON "energy_imports" USING btree ("workgroup","at");--> statement-breakpoint
CREATE INDEX "meter_readings_by_day" ON "meter_readings" USING btree ("workgroup","day");