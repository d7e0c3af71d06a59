ALTER TABLE "external_sources" ADD COLUMN "subscription" jsonb;--> statement-breakpoint
ALTER TABLE "external_sources" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "external_sources" ADD COLUMN "lease_by" text;--> statement-breakpoint
ALTER TABLE "external_sources" ADD COLUMN "lease_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "external_sources" ADD COLUMN "connection" jsonb;