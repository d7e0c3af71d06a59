CREATE TABLE "link_processes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"place" smallint NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "link_processes_place_unique" UNIQUE("place")
);
--> statement-breakpoint
CREATE TABLE "link_shards" (
	"shard" char(2) PRIMARY KEY NOT NULL,
	"holder" uuid,
	"token" bigint DEFAULT 0 NOT NULL,
	"saved_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "link_shards" ADD CONSTRAINT "link_shards_holder_link_processes_id_fk" FOREIGN KEY ("holder") REFERENCES "public"."link_processes"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "link_shards_holder" ON "link_shards" USING btree ("holder");