CREATE TABLE "sso_failures" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"idp_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"reason" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sso_failures" ADD CONSTRAINT "sso_failures_idp_id_identity_providers_id_fk" FOREIGN KEY ("idp_id") REFERENCES "public"."identity_providers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sso_failures_idp" ON "sso_failures" USING btree ("idp_id","id");