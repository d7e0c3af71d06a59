ALTER TABLE "open_sessions" ADD COLUMN "confirmed_at" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "password_until" timestamp with time zone;