CREATE TABLE "entity_dashboards" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"type" text NOT NULL,
	"type_id" text NOT NULL,
	"name" text NOT NULL,
	"board" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_by" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "entity_dashboards_workgroup_id_pk" PRIMARY KEY("workgroup","id")
);
--> statement-breakpoint
ALTER TABLE "entity_dashboards" ADD CONSTRAINT "entity_dashboards_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "entity_dashboards_by_type" ON "entity_dashboards" USING btree ("workgroup","type","type_id");