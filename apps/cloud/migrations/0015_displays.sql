CREATE TABLE "display_links" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"name" text NOT NULL,
	"pages" jsonb NOT NULL,
	"interval_s" integer NOT NULL,
	"order" text NOT NULL,
	"free" jsonb NOT NULL,
	"networks" jsonb NOT NULL,
	"token_hash" text NOT NULL,
	"maker_id" uuid NOT NULL,
	"made_by" text NOT NULL,
	"made_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	"seen_at" timestamp with time zone,
	"seen_from" text,
	CONSTRAINT "display_links_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "display_links" ADD CONSTRAINT "display_links_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "display_links_by_workgroup" ON "display_links" USING btree ("workgroup","made_at");