ALTER TABLE "saved_versions" ALTER COLUMN "content" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_versions" ADD COLUMN "change" uuid;--> statement-breakpoint
CREATE INDEX "saved_versions_by_change" ON "saved_versions" USING btree ("workgroup","change");