ALTER TABLE "device_command_outcomes" ADD COLUMN "stdout_file" text;--> statement-breakpoint
ALTER TABLE "device_command_outcomes" ADD COLUMN "stderr_file" text;--> statement-breakpoint
ALTER TABLE "tunnels" ADD COLUMN "attached_at" timestamp with time zone;--> statement-breakpoint
UPDATE "tunnels" SET "attached_at" = "opened_at";