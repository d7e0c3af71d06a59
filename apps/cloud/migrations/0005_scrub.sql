CREATE TABLE "completeness_days" (
	"device_id" uuid NOT NULL,
	"stored_in" text NOT NULL,
	"tbl" text NOT NULL,
	"source" text NOT NULL,
	"day" integer NOT NULL,
	"events" bigint NOT NULL,
	"missing" bigint NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "completeness_days_device_id_stored_in_tbl_source_day_pk" PRIMARY KEY("device_id","stored_in","tbl","source","day")
);
--> statement-breakpoint
CREATE INDEX "completeness_days_group" ON "completeness_days" USING btree ("stored_in","tbl","day");--> statement-breakpoint
CREATE INDEX "completeness_days_seen" ON "completeness_days" USING btree ("seen_at");