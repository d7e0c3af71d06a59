import type { Permission } from './permissions.ts';

/**
 * Who may use an endpoint or a socket action. There is no default: what declares none cannot be registered.
 *
 * - `public`: anyone, signed in or not.
 * - `signedIn`: any holder of a full session token; an API token is none.
 * - `member`: a member of the workgroup that the request names (`:wg` of the path, or the socket's workgroup).
 * - `can`: a member of that workgroup who holds at least one of the permissions.
 * - `commands`: a member who may run remote commands (role owner, admin or power, or the device scope `rpc`).
 * - `apiToken`: the bearer of an API token.
 * - `staff`: provider staff, as the server decided when the token was made.
 * - `addonManager`: provider staff whom the operator lets decide what workgroups may do.
 * - `enrolment`: the bearer of a one-time agent pack token.
 * - `oneTimeCode`: the bearer of a login token, whose password was right and whose one-time code is still missing.
 * - `enrolling`: the bearer of a token that allows nothing but setting up two-factor authentication, or of a full one.
 */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'signedIn' }
  | { readonly kind: 'member' }
  | { readonly kind: 'can'; readonly permissions: readonly [Permission, ...Permission[]] }
  | { readonly kind: 'commands' }
  | { readonly kind: 'apiToken' }
  | { readonly kind: 'staff' }
  | { readonly kind: 'addonManager' }
  | { readonly kind: 'enrolment' }
  | { readonly kind: 'oneTimeCode' }
  | { readonly kind: 'enrolling' };

export const anyone: Access = { kind: 'public' };
export const signedIn: Access = { kind: 'signedIn' };
export const member: Access = { kind: 'member' };
export const commands: Access = { kind: 'commands' };
export const apiTokenBearer: Access = { kind: 'apiToken' };
export const staff: Access = { kind: 'staff' };
export const addonManager: Access = { kind: 'addonManager' };
export const enrolment: Access = { kind: 'enrolment' };
export const oneTimeCode: Access = { kind: 'oneTimeCode' };
export const enrolling: Access = { kind: 'enrolling' };

/** Members who hold at least one of these permissions. */
export const can = (...permissions: [Permission, ...Permission[]]): Access => ({ kind: 'can', permissions });
