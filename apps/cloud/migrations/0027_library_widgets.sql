CREATE TABLE "library_widgets" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"name" text NOT NULL,
	"item" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_by" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "library_widgets_workgroup_id_pk" PRIMARY KEY("workgroup","id")
);
--> statement-breakpoint
ALTER TABLE "library_widgets" ADD CONSTRAINT "library_widgets_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;