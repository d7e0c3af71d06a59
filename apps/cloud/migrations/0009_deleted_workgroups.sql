CREATE TABLE "deleted_workgroups" (
	"name" text PRIMARY KEY NOT NULL,
	"deleted_at" timestamp with time zone DEFAULT now() NOT NULL
);
