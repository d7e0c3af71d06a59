CREATE TABLE "photos" (
	"device_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"workgroup" text NOT NULL,
	"table" text NOT NULL,
	"source" text NOT NULL,
	"file" text NOT NULL,
	"taken_at" timestamp with time zone NOT NULL,
	"stored_at" timestamp with time zone DEFAULT now() NOT NULL,
	"type" text NOT NULL,
	"size" integer NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"sha256" text NOT NULL,
	"file_key" text NOT NULL,
	CONSTRAINT "photos_device_id_id_pk" PRIMARY KEY("device_id","id")
);
--> statement-breakpoint
ALTER TABLE "photos" ADD CONSTRAINT "photos_workgroup_workgroups_name_fk" FOREIGN KEY ("workgroup") REFERENCES "public"."workgroups"("name") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
CREATE INDEX "photos_by_time" ON "photos" USING btree ("workgroup","taken_at","device_id","id");--> statement-breakpoint
CREATE INDEX "photos_of_camera" ON "photos" USING btree ("device_id","source","taken_at");