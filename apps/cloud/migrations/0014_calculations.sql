CREATE TABLE "calculation_changes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"calculation" uuid NOT NULL,
	"entity" text NOT NULL,
	"field" text NOT NULL,
	"at" bigint NOT NULL,
	"was" double precision,
	"now" double precision,
	"cause" text NOT NULL,
	"version" integer NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "calculation_targets" (
	"calculation" uuid NOT NULL,
	"entity" text NOT NULL,
	"zone" text NOT NULL,
	"version" integer NOT NULL,
	"streams" text NOT NULL,
	"facts" jsonb NOT NULL,
	CONSTRAINT "calculation_targets_calculation_entity_pk" PRIMARY KEY("calculation","entity")
);
--> statement-breakpoint
CREATE TABLE "calculation_watches" (
	"workgroup" text PRIMARY KEY NOT NULL,
	"stored_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "calculation_work" (
	"calculation" uuid NOT NULL,
	"zone" text NOT NULL,
	"from_at" bigint NOT NULL,
	"to_at" bigint NOT NULL,
	"entities" jsonb,
	"causes" jsonb NOT NULL,
	"due_at" bigint NOT NULL,
	"touches" integer DEFAULT 1 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "calculation_work_calculation_zone_from_at_pk" PRIMARY KEY("calculation","zone","from_at")
);
--> statement-breakpoint
CREATE TABLE "calculations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"is_active" boolean NOT NULL,
	"writes_to" text NOT NULL,
	"interval" text NOT NULL,
	"target" jsonb NOT NULL,
	"values" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"since" bigint NOT NULL,
	"computed_at" timestamp with time zone,
	"failure" text,
	CONSTRAINT "calculations_by_name" UNIQUE("workgroup","name")
);
--> statement-breakpoint
ALTER TABLE "calculation_changes" ADD CONSTRAINT "calculation_changes_calculation_calculations_id_fk" FOREIGN KEY ("calculation") REFERENCES "public"."calculations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calculation_targets" ADD CONSTRAINT "calculation_targets_calculation_calculations_id_fk" FOREIGN KEY ("calculation") REFERENCES "public"."calculations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calculation_watches" ADD CONSTRAINT "calculation_watches_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calculation_work" ADD CONSTRAINT "calculation_work_calculation_calculations_id_fk" FOREIGN KEY ("calculation") REFERENCES "public"."calculations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calculations" ADD CONSTRAINT "calculations_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "calculation_changes_by_time" ON "calculation_changes" USING btree ("calculation","id");--> statement-breakpoint
CREATE INDEX "calculation_work_by_time" ON "calculation_work" USING btree ("due_at");