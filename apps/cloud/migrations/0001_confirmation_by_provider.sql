ALTER TABLE "sso_requests" ADD COLUMN "authenticated_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sso_requests" ADD COLUMN "confirms" text;--> statement-breakpoint
ALTER TABLE "sso_requests" ADD COLUMN "returned_at" timestamp with time zone;