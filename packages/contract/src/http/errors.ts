import { z } from 'zod';
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
export const generalErrors = {
  'request.invalid': { status: 400, text: '{what}' },
  'request.address_long': { status: 431, text: 'The address or the headers of the request are too long.' },
  'request.too_large': { status: 413, text: 'The request is larger than {limit}.' },
  'file.too_large': { status: 413, text: 'The file {name} is larger than {limit}.' },
  'file.too_much': { status: 413, text: 'All files together are larger than {limit}.' },
  'file.too_many': { status: 413, text: 'You can send up to {count} files.' },
  'file.missing': { status: 400, text: 'A file is missing.' },
  'file.wrong_kind': { status: 400, text: 'The file {name} is not one of these: {kinds}.' },
  'file.infected': { status: 422, text: 'The virus scanner refused the file {name}: {virus}.' },
  'file.not_scanned': {
    status: 503,
    text: 'The virus scanner does not answer, so no files are taken. Try again later.',
  },
  'file.not_found': { status: 404, text: 'This file no longer exists.' },
  'request.unauthorized': { status: 401, text: 'Unauthorized' },
  'request.forbidden': { status: 403, text: 'Forbidden' },
  'request.not_found': { status: 404, text: 'Not found' },
  'request.conflict': { status: 409, text: 'Conflict' },
  'request.too_many': { status: 429, text: 'Too many requests.. Please try again later' },
  'request.quota': {
    status: 429,
    text: 'The quota {quota} is used up, which allows {limit}. Please try again later.',
  },
  'request.csrf': { status: 403, text: 'Invalid CSRF token' },
  'request.plain': { status: 403, text: 'This server can be used over https only.' },
  'server.failed': {
    status: 500,
    text: 'Something went wrong on the server. The problem has been logged. Try again.',
  },
  'server.busy': { status: 503, text: 'The server is busy. Try again in a moment.' },
  'access.role_missing': { status: 403, text: 'This is for members with one of these roles: {roles}.' },
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

/** For `context.addIssue` of a schema that finds out by itself that a failure of this catalogue is the answer. */
export const errorsOf =
  <N extends string>(catalog: Readonly<Record<N, CatalogEntry>>) =>
  (path: string[], error: N) => ({
    code: 'custom' as const,
    path,
    message: catalog[error].text,
    params: { error },
  });
