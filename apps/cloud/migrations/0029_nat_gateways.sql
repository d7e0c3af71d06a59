CREATE TABLE "nat_gateways" (
	"workgroup" text PRIMARY KEY NOT NULL,
	"cloud" text NOT NULL,
	"allow" jsonb NOT NULL,
	"by_email" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "nat_gateways" ADD CONSTRAINT "nat_gateways_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "devices" DROP COLUMN "gnat";