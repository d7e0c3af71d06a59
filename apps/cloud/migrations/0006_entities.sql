CREATE TABLE "entities" (
	"workgroup" text NOT NULL,
	"id" text NOT NULL,
	"parent" text,
	"name" text NOT NULL,
	"labels" jsonb NOT NULL,
	"machine" uuid,
	"meta" jsonb NOT NULL,
	"signals" jsonb NOT NULL,
	"settings" jsonb NOT NULL,
	CONSTRAINT "entities_workgroup_id_pk" PRIMARY KEY("workgroup","id")
);
--> statement-breakpoint
CREATE TABLE "entity_deletions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"name" text NOT NULL,
	"entities" jsonb NOT NULL,
	"deleted_at" timestamp with time zone NOT NULL,
	"deleted_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "entity_trees" (
	"workgroup" text PRIMARY KEY NOT NULL,
	"version" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "machines" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"name" text NOT NULL,
	"class" text NOT NULL,
	"maker" text NOT NULL,
	"model" text NOT NULL,
	"ratings" jsonb NOT NULL,
	"states" jsonb NOT NULL,
	"power_curve" jsonb NOT NULL,
	"roles" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "machines_by_name" UNIQUE("workgroup","name")
);
--> statement-breakpoint
ALTER TABLE "entities" ADD CONSTRAINT "entities_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_deletions" ADD CONSTRAINT "entity_deletions_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_trees" ADD CONSTRAINT "entity_trees_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "machines" ADD CONSTRAINT "machines_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "entity_deletions_by_time" ON "entity_deletions" USING btree ("workgroup","deleted_at");