ALTER TABLE "webhooks" ADD COLUMN "refused" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "refused_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "rows_seen" jsonb DEFAULT '{}'::jsonb NOT NULL;