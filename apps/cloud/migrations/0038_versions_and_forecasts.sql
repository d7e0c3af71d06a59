CREATE TABLE "forecast_tables" (
	"workgroup" text NOT NULL,
	"tbl" text NOT NULL,
	CONSTRAINT "forecast_tables_workgroup_tbl_pk" PRIMARY KEY("workgroup","tbl")
);
--> statement-breakpoint
ALTER TABLE "entities" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "machines" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "searches" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "forecast_tables" ADD CONSTRAINT "forecast_tables_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;