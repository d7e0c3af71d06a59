ALTER TABLE "energy_days" ADD COLUMN "curtailed_hours" double precision;--> statement-breakpoint
ALTER TABLE "energy_days" ADD COLUMN "curtailed_kwh" double precision;--> statement-breakpoint
ALTER TABLE "energy_days" ADD COLUMN "curtailed_expected_kwh" double precision;--> statement-breakpoint
ALTER TABLE "energy_device_days" ADD COLUMN "curtailed_hours" double precision;