CREATE TABLE "frontend_error_counts" (
	"error" text NOT NULL,
	"day" integer NOT NULL,
	"workgroup" text NOT NULL,
	"version" text NOT NULL,
	"browser" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "frontend_error_counts_error_day_workgroup_version_browser_pk" PRIMARY KEY("error","day","workgroup","version","browser")
);
--> statement-breakpoint
CREATE TABLE "frontend_error_places" (
	"error" text NOT NULL,
	"workgroup" text NOT NULL,
	"location" text NOT NULL,
	"count" bigint NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "frontend_error_places_error_workgroup_location_pk" PRIMARY KEY("error","workgroup","location")
);
--> statement-breakpoint
CREATE TABLE "frontend_errors" (
	"id" text PRIMARY KEY NOT NULL,
	"message" text NOT NULL,
	"place" text NOT NULL,
	"stack" text NOT NULL,
	"source" text NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"first_version" text NOT NULL,
	"last_version" text NOT NULL,
	"resolved_at" timestamp with time zone,
	"resolved_by" text,
	"resolved_version" text,
	"returned_at" timestamp with time zone,
	"returned_in" text
);
--> statement-breakpoint
CREATE TABLE "page_uses" (
	"day" integer NOT NULL,
	"workgroup" text NOT NULL,
	"page" text NOT NULL,
	"user_id" uuid NOT NULL,
	"visits" integer NOT NULL,
	"seconds" integer NOT NULL,
	CONSTRAINT "page_uses_day_workgroup_page_user_id_pk" PRIMARY KEY("day","workgroup","page","user_id")
);
--> statement-breakpoint
ALTER TABLE "frontend_error_counts" ADD CONSTRAINT "frontend_error_counts_error_frontend_errors_id_fk" FOREIGN KEY ("error") REFERENCES "public"."frontend_errors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "frontend_error_counts" ADD CONSTRAINT "frontend_error_counts_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "frontend_error_places" ADD CONSTRAINT "frontend_error_places_error_frontend_errors_id_fk" FOREIGN KEY ("error") REFERENCES "public"."frontend_errors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "frontend_error_places" ADD CONSTRAINT "frontend_error_places_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "page_uses" ADD CONSTRAINT "page_uses_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "page_uses" ADD CONSTRAINT "page_uses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "frontend_error_counts_by_day" ON "frontend_error_counts" USING btree ("day");--> statement-breakpoint
CREATE INDEX "frontend_errors_by_time" ON "frontend_errors" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "completeness_gaps_by_time" ON "completeness_gaps" USING btree ("reported_at");--> statement-breakpoint
CREATE INDEX "completeness_quarantine_by_time" ON "completeness_quarantine" USING btree ("received_at");