CREATE TABLE "data_fields" (
	"workgroup" text NOT NULL,
	"tbl" text NOT NULL,
	"field" text NOT NULL,
	"display_name" text,
	"units" text,
	CONSTRAINT "data_fields_workgroup_tbl_field_pk" PRIMARY KEY("workgroup","tbl","field")
);
--> statement-breakpoint
CREATE TABLE "data_retentions" (
	"workgroup" text NOT NULL,
	"tbl" text NOT NULL,
	"days" integer NOT NULL,
	CONSTRAINT "data_retentions_workgroup_tbl_pk" PRIMARY KEY("workgroup","tbl")
);
--> statement-breakpoint
ALTER TABLE "data_fields" ADD CONSTRAINT "data_fields_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_retentions" ADD CONSTRAINT "data_retentions_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;