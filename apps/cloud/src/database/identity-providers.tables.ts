import {
  bigserial,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { users } from './sessions.tables.ts';
import { named, no, tablePart, under, yes } from './workgroup-part.tables.ts';
import { workgroups } from './workgroups.tables.ts';

/** What is known of a SAML identity provider. Certificates are PEM, those that sign. */
export interface SamlConfig {
  kind: 'saml';
  entityId: string;
  /** Where the browser goes with the request (HTTP-Redirect). */
  signOnUrl: string;
  certificates: string[];
  /** Where the metadata came from; null when it was uploaded. */
  metadataUrl: string | null;
}

export interface OidcConfig {
  kind: 'oidc';
  issuer: string;
  clientId: string;
}

/** One for each workgroup; `workgroups.idp_id` points back at it. */
export const identityProviders = pgTable('identity_providers', {
  id: uuid().primaryKey().defaultRandom(),
  workgroup: text()
    .notNull()
    .unique()
    .references(() => workgroups.name, { onDelete: 'cascade' }),
  kind: text().$type<'saml' | 'oidc'>().notNull(),
  /** As people know it, such as `Contoso`. */
  name: text().notNull(),
  config: jsonb().$type<SamlConfig | OidcConfig>().notNull(),
  /** The client secret, sealed; null for SAML and for public clients. */
  secret: text(),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull(),
  /** When the metadata was last read from its address. */
  refreshedAt: timestamp('refreshed_at', { withTimezone: true }),
  /** When that was last tried, by any process, and why it failed; null where it did not. */
  refreshTriedAt: timestamp('refresh_tried_at', { withTimezone: true }),
  refreshFailure: text('refresh_failure'),
  lastSignInAt: timestamp('last_sign_in_at', { withTimezone: true }),
  lastFailureAt: timestamp('last_failure_at', { withTimezone: true }),
  /** Why the last sign-in that failed did, as a sentence for people who manage access. */
  lastFailure: text('last_failure'),
});

/** Who signs in with which provider. A row without subject waits for the first sign-in with the user's address. */
export const userIdentities = pgTable(
  'user_identities',
  {
    idpId: uuid('idp_id')
      .notNull()
      .references(() => identityProviders.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The provider's own name for the person; null until the first sign-in. */
    subject: text(),
    linkedAt: timestamp('linked_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.idpId, table.userId] }),
    unique('user_identities_subject').on(table.idpId, table.subject),
    index('user_identities_user').on(table.userId),
  ],
);

/** Sign-ins that are under way, shared by all processes; each is used once. */
export const ssoRequests = pgTable('sso_requests', {
  /** Of the AuthnRequest, or the state of OpenID Connect. */
  id: text().primaryKey(),
  idpId: uuid('idp_id')
    .notNull()
    .references(() => identityProviders.id, { onDelete: 'cascade' }),
  /** SHA-256 of the cookie of the browser that began. */
  browserHash: text('browser_hash').notNull(),
  /** OpenID Connect only. */
  nonce: text(),
  codeVerifier: text('code_verifier'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  /** When its answer was taken; a second one is refused. */
  answeredAt: timestamp('answered_at', { withTimezone: true }),
  /** Whom the answer named, until the browser fetches the session. */
  userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
  /** When that person last proved to the provider who they are; null where it does not say. */
  authenticatedAt: timestamp('authenticated_at', { withTimezone: true }),
  /** `jti` of the session that is confirmed by it; null where it opens a session. */
  confirms: text(),
  /** When the browser that began came back from a confirmation. */
  returnedAt: timestamp('returned_at', { withTimezone: true }),
});

/** The latest sign-ins that failed, with why, for people who manage access. */
export const ssoFailures = pgTable(
  'sso_failures',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    idpId: uuid('idp_id')
      .notNull()
      .references(() => identityProviders.id, { onDelete: 'cascade' }),
    at: timestamp({ withTimezone: true }).notNull(),
    reason: text().notNull(),
  },
  (table) => [index('sso_failures_idp').on(table.idpId, table.id)],
);

/** Assertions that were accepted, until they are expired anyway. */
export const ssoAssertions = pgTable(
  'sso_assertions',
  {
    idpId: uuid('idp_id')
      .notNull()
      .references(() => identityProviders.id, { onDelete: 'cascade' }),
    id: text().notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.idpId, table.id] })],
);

/** What workgroups have of it. */
export const identityProvidersPart = [
  tablePart(ssoRequests, under(ssoRequests.idpId, identityProviders, identityProviders.id), {
    id: no,
    idpId: no,
    browserHash: no,
    nonce: no,
    codeVerifier: no,
    createdAt: no,
    expiresAt: no,
    answeredAt: no,
    userId: no,
    authenticatedAt: no,
    confirms: no,
    returnedAt: no,
  }),
  tablePart(ssoFailures, under(ssoFailures.idpId, identityProviders, identityProviders.id), {
    id: no,
    idpId: yes,
    at: yes,
    reason: yes,
  }),
  tablePart(ssoAssertions, under(ssoAssertions.idpId, identityProviders, identityProviders.id), {
    idpId: no,
    id: no,
    expiresAt: no,
  }),
  tablePart(userIdentities, under(userIdentities.idpId, identityProviders, identityProviders.id), {
    idpId: yes,
    userId: yes,
    subject: yes,
    linkedAt: yes,
  }),
  tablePart(identityProviders, named(identityProviders.workgroup), {
    id: yes,
    workgroup: yes,
    kind: yes,
    name: yes,
    // Addresses, ids and public certificates.
    config: yes,
    secret: no,
    changedAt: yes,
    refreshedAt: yes,
    refreshTriedAt: yes,
    refreshFailure: yes,
    lastSignInAt: yes,
    lastFailureAt: yes,
    lastFailure: yes,
  }),
];
