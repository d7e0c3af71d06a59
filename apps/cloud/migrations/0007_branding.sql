CREATE TABLE "host_brands" (
	"host" text PRIMARY KEY NOT NULL,
	"theme" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "host_images" (
	"host" text NOT NULL,
	"kind" text NOT NULL,
	"type" text NOT NULL,
	"version" text NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "host_images_host_kind_pk" PRIMARY KEY("host","kind")
);
--> statement-breakpoint
CREATE TABLE "workgroup_images" (
	"workgroup" text NOT NULL,
	"kind" text NOT NULL,
	"type" text NOT NULL,
	"version" text NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "workgroup_images_workgroup_kind_pk" PRIMARY KEY("workgroup","kind")
);
--> statement-breakpoint
ALTER TABLE "workgroups" ADD COLUMN "plan" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "workgroups" ADD COLUMN "suspended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "host_images" ADD CONSTRAINT "host_images_host_host_brands_host_fk" FOREIGN KEY ("host") REFERENCES "public"."host_brands"("host") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workgroup_images" ADD CONSTRAINT "workgroup_images_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;