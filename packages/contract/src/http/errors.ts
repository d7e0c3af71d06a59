import { z } from 'zod';
import { accessControlErrors } from '../access-control/access-control.errors.ts';
import { accountsErrors } from '../accounts/accounts.errors.ts';
import { announcementsErrors } from '../announcements/announcements.errors.ts';
import { apiTokensErrors } from '../api-tokens/api-tokens.errors.ts';
import { brandingErrors } from '../branding/branding.errors.ts';
import { deviceGroupsErrors } from '../device-groups/device-groups.errors.ts';
import { devicesErrors } from '../devices/devices.errors.ts';
import { identityProvidersErrors } from '../identity-providers/identity-providers.errors.ts';
import { jobsErrors } from '../jobs/jobs.errors.ts';
import { longActionsErrors } from '../long-actions/long-actions.errors.ts';
import { lookupTablesErrors } from '../lookup-tables/lookup-tables.errors.ts';
import { membersErrors } from '../members/members.errors.ts';
import { mfaErrors } from '../mfa/mfa.errors.ts';
import { passkeysErrors } from '../passkeys/passkeys.errors.ts';
import { rolesErrors } from '../roles/roles.errors.ts';
import { sessionsErrors } from '../sessions/sessions.errors.ts';
import { settingsErrors } from '../settings/settings.errors.ts';
import { supportErrors } from '../support/support.errors.ts';
import { telemetryErrors } from '../telemetry/telemetry.errors.ts';
import { workgroupAdminErrors } from '../workgroup-admin/workgroup-admin.errors.ts';
import { workgroupRequestsErrors } from '../workgroup-requests/workgroup-requests.errors.ts';
import { workgroupsErrors } from '../workgroups/workgroups.errors.ts';
import type { CatalogEntry, ErrorCatalog } from './catalogs.ts';
import { requestIssue } from './issues.ts';

/** Body of every answer that is not a success. */
export const errorBody = z.object({
  /** HTTP status, or -1 where no status applies. */
  code: z.number().int(),
  message: z.string(),
  /** Stable name of the failure from the catalogue; tests and clients compare this, people read `message`. */
  error: z.string(),
  /** What the sentence names, so that a client can translate it. */
  facts: z.record(z.string(), z.string()).optional(),
  /** What is wrong with which field, where the sentence is about fields. */
  issues: z.array(requestIssue).optional(),
});
export type ErrorBody = z.infer<typeof errorBody>;

/** What any request may meet; the failures of a feature stand in its `<feature>.errors.ts`. */
const general = {
  'request.invalid': { status: 400, text: '{what}' },
  'request.address_long': { status: 431, text: 'The address or the headers of the request are too long.' },
  'request.too_large': { status: 413, text: 'The request is larger than {limit}.' },
  'file.too_large': { status: 413, text: 'The file {name} is larger than {limit}.' },
  'file.too_much': { status: 413, text: 'All files together are larger than {limit}.' },
  'file.too_many': { status: 413, text: 'You can send up to {count} files.' },
  'file.missing': { status: 400, text: 'A file is missing.' },
  'file.wrong_kind': { status: 400, text: 'The file {name} is not one of these: {kinds}.' },
  'file.not_found': { status: 404, text: 'This file no longer exists.' },
  'request.unauthorized': { status: 401, text: 'Unauthorized' },
  'request.forbidden': { status: 403, text: 'Forbidden' },
  'request.not_found': { status: 404, text: 'Not found' },
  'request.conflict': { status: 409, text: 'Conflict' },
  'request.too_many': { status: 429, text: 'Too many requests.. Please try again later' },
  'request.csrf': { status: 403, text: 'Invalid CSRF token' },
  'server.failed': {
    status: 500,
    text: 'Something went wrong on the server. The problem has been logged. Try again.',
  },
  'server.busy': { status: 503, text: 'The server is busy. Try again in a moment.' },
  'access.permission_missing': {
    status: 403,
    text: 'You can do this only with one of these permissions: {missing}.',
  },
  'access.no_commands': { status: 403, text: 'You cannot run commands on devices in this workgroup.' },
  'access.in_person': { status: 403, text: 'Only a person can do this, not an API token.' },
  'access.addon_missing': { status: 403, text: 'This workgroup does not have the addon {addon}.' },
  'access.denied': {
    status: 403,
    text: 'The access-control rules of this workgroup do not let you {action} {resource}.',
  },
} as const satisfies ErrorCatalog;

/** Every expected failure. */
export const errorCatalog = {
  ...general,
  ...accessControlErrors,
  ...accountsErrors,
  ...announcementsErrors,
  ...apiTokensErrors,
  ...brandingErrors,
  ...deviceGroupsErrors,
  ...devicesErrors,
  ...identityProvidersErrors,
  ...jobsErrors,
  ...longActionsErrors,
  ...lookupTablesErrors,
  ...membersErrors,
  ...mfaErrors,
  ...passkeysErrors,
  ...rolesErrors,
  ...sessionsErrors,
  ...settingsErrors,
  ...supportErrors,
  ...telemetryErrors,
  ...workgroupAdminErrors,
  ...workgroupRequestsErrors,
  ...workgroupsErrors,
};

export type ErrorName = keyof typeof errorCatalog;

/** Text of a failure with its facts filled in. */
export function errorText(name: ErrorName, facts: Readonly<Record<string, unknown>> = {}): string {
  return errorCatalog[name].text.replace(HOLES, (hole, fact: string) => String(facts[fact] ?? hole));
}

/** Those of the facts that stand in the sentence; no other leaves the server. */
export function factsInText(
  name: ErrorName,
  facts: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const names = [...errorCatalog[name].text.matchAll(HOLES)].map(([, fact = '']) => fact);
  return Object.fromEntries(
    names.filter((fact) => facts[fact] !== undefined).map((fact) => [fact, String(facts[fact])]),
  );
}

/** What an answer says as its `code`. */
export const errorCode = (name: ErrorName): number => {
  const { status, code }: CatalogEntry = errorCatalog[name];
  return code ?? status;
};

/** A failure of the catalogue that a schema finds out by itself; the answer is that failure. */
export const ownError = (path: string[], error: ErrorName) => ({
  code: 'custom' as const,
  path,
  message: errorText(error),
  params: { error },
});

const HOLES = /\{(\w+)\}/g;
