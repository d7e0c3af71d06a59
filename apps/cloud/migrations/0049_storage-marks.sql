CREATE TABLE "data_cleanings" (
	"workgroup" text NOT NULL,
	"tbl" text NOT NULL,
	"month" text NOT NULL,
	"before" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "data_cleanings_workgroup_tbl_month_pk" PRIMARY KEY("workgroup","tbl","month")
);
--> statement-breakpoint
ALTER TABLE "data_drops" ADD COLUMN "action" uuid;--> statement-breakpoint
ALTER TABLE "data_cleanings" ADD CONSTRAINT "data_cleanings_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;