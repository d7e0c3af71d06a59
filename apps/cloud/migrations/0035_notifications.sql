CREATE TABLE "notify_channels" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"is_enabled" boolean NOT NULL,
	"emails" jsonb NOT NULL,
	"template" text,
	"address" text,
	"host" text,
	"token" text,
	"secret" text,
	"phones" jsonb NOT NULL,
	"last_ok_at" timestamp with time zone,
	"last_error" text,
	"failing_since" timestamp with time zone,
	"is_reported" boolean DEFAULT false NOT NULL,
	"off_reason" text,
	CONSTRAINT "notify_channels_by_name" UNIQUE("workgroup","name")
);
--> statement-breakpoint
CREATE TABLE "notify_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workgroup" text NOT NULL,
	"channel" uuid NOT NULL,
	"incident" uuid,
	"what" text NOT NULL,
	"message" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "escalations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"name" text NOT NULL,
	"steps" jsonb NOT NULL,
	"repeat_minutes" integer,
	CONSTRAINT "escalations_by_name" UNIQUE("workgroup","name")
);
--> statement-breakpoint
CREATE TABLE "notify_floods" (
	"workgroup" text PRIMARY KEY NOT NULL,
	"since" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notify_heartbeats" (
	"workgroup" text PRIMARY KEY NOT NULL,
	"is_enabled" boolean NOT NULL,
	"every_minutes" integer NOT NULL,
	"address" text,
	"host" text,
	"next_at" timestamp with time zone NOT NULL,
	"last_ok_at" timestamp with time zone,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "held_messages" (
	"workgroup" text NOT NULL,
	"recipient" text NOT NULL,
	"incident" uuid NOT NULL,
	"reason" text NOT NULL,
	"what" text NOT NULL,
	"told_what" text,
	"since" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	CONSTRAINT "held_messages_workgroup_recipient_incident_pk" PRIMARY KEY("workgroup","recipient","incident")
);
--> statement-breakpoint
CREATE TABLE "push_subscriptions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"fingerprint" text NOT NULL,
	"label" text NOT NULL,
	"subscription" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_ok_at" timestamp with time zone,
	CONSTRAINT "push_subscriptions_once" UNIQUE("fingerprint")
);
--> statement-breakpoint
CREATE TABLE "rotas" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"name" text NOT NULL,
	"zone" text NOT NULL,
	"members" jsonb NOT NULL,
	"starts_on" text NOT NULL,
	"handover" text NOT NULL,
	"shift_days" integer NOT NULL,
	"weekdays" jsonb NOT NULL,
	"overrides" jsonb NOT NULL,
	CONSTRAINT "rotas_by_name" UNIQUE("workgroup","name")
);
--> statement-breakpoint
CREATE TABLE "told_incidents" (
	"workgroup" text NOT NULL,
	"incident" uuid NOT NULL,
	"content" jsonb NOT NULL,
	"notify" jsonb NOT NULL,
	"told" text,
	"told_at" timestamp with time zone,
	"told_to" jsonb NOT NULL,
	"counted_at" timestamp with time zone,
	"tellings" integer DEFAULT 0 NOT NULL,
	"is_over" boolean NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"step" integer DEFAULT 0 NOT NULL,
	"round" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone,
	"repeat_at" timestamp with time zone,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "told_incidents_workgroup_incident_pk" PRIMARY KEY("workgroup","incident")
);
--> statement-breakpoint
CREATE TABLE "watches" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"workgroup" text NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"target" text NOT NULL,
	"channels" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "watches_once" UNIQUE("workgroup","user_id","kind","target")
);
--> statement-breakpoint
ALTER TABLE "notify_channels" ADD CONSTRAINT "notify_channels_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notify_deliveries" ADD CONSTRAINT "notify_deliveries_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notify_deliveries" ADD CONSTRAINT "notify_deliveries_channel_notify_channels_id_fk" FOREIGN KEY ("channel") REFERENCES "public"."notify_channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "escalations" ADD CONSTRAINT "escalations_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notify_floods" ADD CONSTRAINT "notify_floods_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notify_heartbeats" ADD CONSTRAINT "notify_heartbeats_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_messages" ADD CONSTRAINT "held_messages_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rotas" ADD CONSTRAINT "rotas_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "told_incidents" ADD CONSTRAINT "told_incidents_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watches" ADD CONSTRAINT "watches_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watches" ADD CONSTRAINT "watches_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notify_deliveries_by_time" ON "notify_deliveries" USING btree ("workgroup","created_at");--> statement-breakpoint
CREATE INDEX "held_messages_due" ON "held_messages" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "told_incidents_due" ON "told_incidents" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "told_incidents_told" ON "told_incidents" USING btree ("workgroup","told_at");