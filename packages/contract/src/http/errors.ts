import { z } from 'zod';
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

/** `code` is what an answer says in place of the status. */
interface CatalogEntry {
  status: number;
  code?: number;
  text: string;
}

/**
 * Every expected failure: its HTTP status and the sentence for people. Statuses and texts of the specification
 * (document 1 section 8, document 2 sections 5 and 8) stand here word for word.
 *
 * `{name}` in a text is replaced by the fact of that name.
 */
export const errorCatalog = {
  'request.invalid': { status: 400, text: '{what}' },
  'request.address_long': { status: 431, text: 'The address or the headers of the request are too long.' },
  'request.too_large': { status: 413, text: 'The request is larger than {limit}.' },
  'file.too_large': { status: 413, text: 'The file {name} is larger than {limit}.' },
  'file.too_much': { status: 413, text: 'All files together are larger than {limit}.' },
  'file.too_many': { status: 413, text: 'You can send up to {count} files.' },
  'file.missing': { status: 400, text: 'A file is missing.' },
  'file.wrong_kind': { status: 400, text: 'The file {name} is not one of these: {kinds}.' },
  'file.not_found': { status: 404, text: 'This file no longer exists.' },
  'announcement.not_found': { status: 404, text: 'This announcement no longer exists.' },
  'ticket.not_found': { status: 404, text: 'This ticket does not exist.' },
  'request.unauthorized': { status: 401, text: 'Unauthorized' },
  'request.forbidden': { status: 403, text: 'Forbidden' },
  'job.not_found': { status: 404, text: 'This job is not in the list any more.' },
  'long_action.not_found': { status: 404, text: 'This is not in the list any more.' },
  'long_action.no_cancel': { status: 409, text: 'This can no longer be cancelled.' },
  'long_action.file_gone': {
    status: 404,
    text: 'This file is no longer kept, or its link was used already.',
  },
  'request.not_found': { status: 404, text: 'Not found' },
  'request.conflict': { status: 409, text: 'Conflict' },
  'request.too_many': { status: 429, text: 'Too many requests.. Please try again later' },
  'request.csrf': { status: 403, text: 'Invalid CSRF token' },
  'server.failed': {
    status: 500,
    text: 'Something went wrong on the server. The problem has been logged. Try again.',
  },
  'server.busy': { status: 503, text: 'The server is busy. Try again in a moment.' },
  'session.use_sso': { status: 400, text: 'Invalid login: Try continuing with SAML SSO' },
  'session.bad_credentials': { status: 401, text: 'Invalid username and/or password' },
  'session.from_provider': {
    status: 403,
    text: 'You signed in with single sign-on. Your identity provider manages your address, password and second factor.',
  },
  'session.code_expired': { status: 401, text: 'Session expired.  Please enter your password again.' },
  'session.not_fresh': { status: 403, text: 'Confirm that it is you, then try again.' },
  'account.email_taken': {
    status: 409,
    text: 'Email address already in use. Try resetting your password.',
  },
  'account.reset_invalid': {
    status: 404,
    text: 'This link is invalid or has expired. Go to login and request a new reset.',
  },
  'account.by_provider': {
    status: 400,
    text: 'None of your workgroups can be opened with a password. Sign in with single sign-on.',
  },
  'account.password_wrong': { status: 400, text: 'The current password is incorrect.' },
  'account.password_missing': {
    status: 400,
    text: 'This account has no password. Sign in with single sign-on.',
  },
  'account.email_code_invalid': { status: 400, text: 'This code is incorrect or has expired.' },
  'account.email_reserved': {
    status: 403,
    text: 'An address of the provider cannot be used here. Enter another one.',
  },
  'mfa.code_invalid': { status: 400, text: 'Invalid authenticator code' },
  'mfa.recovery_failed': { status: 400, text: 'Could not recover MFA' },
  'mfa.recovery_code_failed': {
    status: 400,
    text: 'Could not generate recovery code. Please enter a valid code.',
  },
  'mfa.setup_expired': {
    status: 400,
    text: 'The setup was not completed within 20 minutes. Create a new QR code.',
  },
  'passkey.not_found': { status: 404, text: 'This passkey no longer exists.' },
  'passkey.refused': {
    status: 400,
    text: 'This passkey was not accepted. Try again, or use another way to sign in.',
  },
  'passkey.too_many': { status: 409, text: 'An account can have up to {count} passkeys. Remove one first.' },
  'passkey.known': { status: 409, text: 'This device already holds a passkey for this account.' },
  'passkey.last_factor': {
    status: 409,
    text: 'Your account requires two-factor authentication, and this is your last second factor. Add another one first.',
  },
  'member.not_found': { status: 404, text: 'could not find member' },
  'member.last_owner': {
    status: 409,
    text: 'A workgroup needs at least one owner. Make another member an owner first.',
  },
  'member.owners_only': { status: 403, text: 'Only an owner can add, change or remove owners.' },
  'member.more_than_own': {
    status: 403,
    text: 'You can only grant what you have yourself. You do not have: {missing}.',
  },
  'invite.not_found': { status: 404, text: 'This invite no longer exists.' },
  'invite.member_already': { status: 409, text: '{email} is already a member of this workgroup.' },
  'invite.invalid': {
    status: 404,
    text: 'This invite is invalid or has expired. Ask whoever invited you for a new one.',
  },
  'invite.too_many': {
    status: 409,
    text: 'A workgroup can have up to {count} open invites. Delete some that were never answered.',
  },
  'invite.incomplete': { status: 400, text: 'A new account needs a name and a password.' },
  'invite.provider_unknown': {
    status: 400,
    text: 'This workgroup does not use that identity provider. Choose another one or none.',
  },
  'sso.not_found': { status: 404, text: 'SAML SSO not found' },
  'sso.owners_only': { status: 403, text: 'Only an owner can change how members sign in.' },
  'sso.metadata_invalid': { status: 400, text: 'This metadata cannot be used: {what}' },
  'sso.address_failed': { status: 400, text: 'The address could not be read: {what}' },
  'sso.issuer_failed': { status: 400, text: 'The issuer could not be used: {what}' },
  'sso.secret_missing': {
    status: 400,
    text: 'The client secret must be entered again when the issuer or the client ID changes.',
  },
  'request.decided': { status: 409, text: 'This request has already been decided.' },
  'workgroup.setting_unknown': {
    status: 404,
    text: 'There is no workgroup setting named {key}. The settings are: {known}.',
  },
  'workgroup.setting_invalid': { status: 400, text: 'The setting {key} cannot have this value. {why}' },
  'branding.image_invalid': { status: 400, text: 'This image cannot be used. {why}' },
  'branding.image_missing': { status: 404, text: 'This image does not exist.' },
  'addon.enabled_already': { status: 409, text: 'The workgroup already has the addon {name}.' },
  'addon.not_enabled': { status: 404, text: 'The workgroup does not have the addon {name}.' },
  'workgroup.suspended': {
    status: 403,
    text: 'This workgroup is suspended. Ask the provider to open it again.',
  },
  'workgroup.phrase_wrong': { status: 400, text: 'Type {phrase} exactly to delete this workgroup.' },
  'workgroup.not_found': { status: 404, text: 'There is no workgroup {name}.' },
  'workgroup.name_taken': { status: 409, text: 'Another workgroup already has the name {name}.' },
  'workgroup.name_gone': {
    status: 409,
    text: 'A workgroup named {name} was deleted, and its name cannot be reused. Choose another one.',
  },
  'api_token.not_found': { status: 404, text: 'This API token does not exist.' },
  'api_token.too_many': {
    status: 409,
    text: 'A workgroup can have up to {count} API tokens. Revoke one that is no longer used.',
  },
  'api_token.not_renewable': { status: 403, text: 'This API token cannot be renewed.' },
  'api_token.own_group': {
    status: 403,
    text: 'You belong to a device group, so the API tokens you create must use the same one.',
  },
  'role.not_found': { status: 404, text: 'This role no longer exists.' },
  'role.too_many': { status: 409, text: 'A workgroup can have up to {count} roles. Delete one first.' },
  'role.name_taken': { status: 409, text: 'Another role in this workgroup already has the name {name}.' },
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
  'access_rule.not_found': { status: 404, text: 'This rule no longer exists.' },
  'access_rule.too_many': {
    status: 409,
    text: 'A workgroup can have up to {count} access-control rules. Delete one first.',
  },
  'access_rule.exists': { status: 409, text: 'This workgroup already has this rule.' },
  'access_rule.principal_unknown': {
    status: 400,
    text: 'The rule names the ID {id}, which does not exist in this workgroup.',
  },
  'device.not_found': { status: 404, text: 'This device does not exist, or you do not have access to it.' },
  'device.name_taken': { status: 409, text: 'Another device in this workgroup already has the name {name}.' },
  'device_group.not_found': { status: 404, text: 'This device group does not exist.' },
  'device_group.name_taken': {
    status: 409,
    text: 'Another device group in this workgroup already has the name {name}.',
  },
  'device_group.in_use': {
    status: 409,
    text: 'This device group is still in use (members: {members}, invites: {invites}, API tokens: {tokens}). Remove them from it first.',
  },
  'device_group.too_many': {
    status: 409,
    text: 'A workgroup can have up to {count} device groups. Delete one first.',
  },
  'device_group.foreign_device': { status: 400, text: 'This workgroup has no device {id}.' },
  'device_group.bound': {
    status: 403,
    text: 'You belong to a device group, so you cannot change what affects the whole workgroup.',
  },
  'device_group.decides': {
    status: 403,
    text: 'A device group depends on the value of {field}, so members of device groups cannot change it.',
  },
  'device_group.owner': { status: 409, text: 'An owner sees all devices and cannot be in a device group.' },
  'device.offline': { status: 409, text: 'The device is offline, so it cannot answer.' },
  'device.no_answer': { status: 504, text: 'The device did not answer within {seconds} s.' },
  'device.id_missing': { status: 400, text: 'Must supply a deviceId' },
  'device.command_missing': { status: 400, text: 'Must supply a command' },
  'pack.token_invalid': {
    status: 401,
    text: 'This install token has already been used or has expired. Create a new one on the device page.',
  },
  'pack.not_built': {
    status: 503,
    text: 'The agent program is not built on this server. Run the build, then try again.',
  },
  'setting.unknown': { status: 404, text: 'There is no setting named {key}.' },
  'table.missing': { status: 400, text: 'Missing table' },
  'table.not_found': { status: 404, text: 'The table {table} does not exist in this workgroup.' },
  'table.field_unknown': { status: 400, text: 'The table {table} has no field named {field}.' },
  'lookup_table.not_found': { status: 404, text: 'This lookup table no longer exists.' },
  'lookup_table.code_taken': {
    status: 409,
    text: 'Another lookup table in this workgroup already has the code {code}.',
  },
  'lookup_table.too_many': {
    status: 409,
    text: 'A workgroup can have up to {count} lookup tables. Delete one first.',
  },
  'search.aggregation_missing': { status: 400, text: 'query.aggs not provided' },
  'search.aggregation_type_missing': { status: 400, text: 'options.aggregate.type not provided' },
  'search.filter_invalid': { status: 400, text: 'A filter needs an operator and a field.' },
  'search.constraints_empty': { status: 400, text: 'Empty constraints object' },
  'search.timed_out': { status: 504, code: -1, text: 'Timed out' },
  'search.scroll_expired': { status: 404, text: 'This scroll has expired. Search again.' },
  'search.too_much': {
    status: 400,
    text: 'The search needs more memory or rows than one search can use. Narrow the time range or the filters.',
  },
} as const satisfies Record<string, CatalogEntry>;

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
