import type { AddonId } from './addons.ts';
import { holds, mayRunCommands, type Permission, type Role, type WorkgroupScope } from './permissions.ts';
import type { RuleAction } from './resources.ts';

/**
 * The callers that something is for.
 *
 * - `public`: anyone, signed in or not.
 * - `signedIn`: any holder of a full session token; an API token is not one.
 * - `member`: a member of the workgroup that the request names (`:wg` of the path, or the socket's workgroup).
 * - `can`: a member of that workgroup who holds at least one of the permissions, and has one of the `roles` where they are named.
 * - `commands`: a member who may run remote commands (role owner, admin or power, or the device scope `rpc`).
 * - `apiToken`: the bearer of an API token.
 * - `staff`: provider staff, as the server decided when the token was made.
 * - `addonManager`: provider staff who may decide, by the operator's configuration, what workgroups may do.
 * - `enrolment`: the bearer of a one-time agent pack token.
 * - `display`: a screen with the token of a display link. It opens nothing else, and no other token opens what is for it.
 * - `oneTimeCode`: the bearer of a login token, whose password was right and whose one-time code is still missing.
 * - `enrolling`: the bearer of a token that allows nothing but setting up two-factor authentication, or of a full one.
 *
 * API tokens belong to a workgroup, so they are members too, except where a member is asked for `inPerson`.
 */
export type Who =
  | { readonly kind: 'public' }
  | { readonly kind: 'signedIn' }
  | { readonly kind: 'member'; readonly inPerson?: true }
  | {
      readonly kind: 'can';
      readonly permissions: readonly [Permission, ...Permission[]];
      readonly roles?: readonly [Role, ...Role[]];
      readonly inPerson?: true;
    }
  | { readonly kind: 'commands'; readonly inPerson?: true }
  | { readonly kind: 'apiToken' }
  | { readonly kind: 'staff' }
  | { readonly kind: 'addonManager' }
  | { readonly kind: 'enrolment' }
  | { readonly kind: 'display' }
  | { readonly kind: 'oneTimeCode' }
  | { readonly kind: 'enrolling' };

/**
 * What the access-control rules of the workgroup have to allow, where it has that addon. `on` is where the id of the
 * resource stands (a parameter of the path, or a field of the body or of the socket request), or `all`.
 */
export type Rule = RuleAction & { readonly on: 'all' | `params.${string}` | `body.${string}` };

/**
 * Who may use an endpoint, a socket action or a screen, and what else it takes. There is no default: without this it
 * cannot be registered. The server checks all of it before the handler runs, in this order.
 */
export interface Access {
  readonly who: Who;
  /** Members of a device group are refused: it is about the workgroup as a whole. */
  readonly unbound?: true;
  /** The addon that the workgroup needs. */
  readonly addon?: AddonId;
  readonly rule?: Rule;
  /**
   * The caller confirmed the second factor, or the password where there is none, within the last `FRESH_MINUTES`; with
   * `body`, only where the body has this value in this field.
   */
  readonly fresh?: true | { readonly body: Readonly<Record<string, string | boolean>> };
}

/** The least that a declaration says. */
interface ForWhom {
  readonly who: Who;
}

/** How long somebody who proved that it is them needs no new proof. */
export const FRESH_MINUTES = 5;

export const anyone: ForWhom = { who: { kind: 'public' } };
export const signedIn: ForWhom = { who: { kind: 'signedIn' } };
export const member: ForWhom = { who: { kind: 'member' } };
export const memberInPerson: ForWhom = { who: { kind: 'member', inPerson: true } };
export const commands: ForWhom = { who: { kind: 'commands' } };
/** As `commands`, for people only. */
export const commandsInPerson: ForWhom = { who: { kind: 'commands', inPerson: true } };
export const apiTokenBearer: ForWhom = { who: { kind: 'apiToken' } };
export const staff: ForWhom = { who: { kind: 'staff' } };
export const addonManager: ForWhom = { who: { kind: 'addonManager' } };
export const enrolment: ForWhom = { who: { kind: 'enrolment' } };
export const displayLink: ForWhom = { who: { kind: 'display' } };
export const oneTimeCode: ForWhom = { who: { kind: 'oneTimeCode' } };
export const enrolling: ForWhom = { who: { kind: 'enrolling' } };

/** Members who hold at least one of these permissions; `{ ...can('manageDevices'), unbound: true }` asks for more. */
export const can = (...permissions: [Permission, ...Permission[]]): ForWhom => ({
  who: { kind: 'can', permissions },
});

/** As `can`, for people only: no API token may, whatever it holds. */
export const canInPerson = (...permissions: [Permission, ...Permission[]]): ForWhom => ({
  who: { kind: 'can', permissions, inPerson: true },
});

/** As `canInPerson`, for owners and admins alone. */
export const adminCan = (...permissions: [Permission, ...Permission[]]): ForWhom => ({
  who: { kind: 'can', permissions, roles: ['owner', 'admin'], inPerson: true },
});

/** What declarations ask of somebody. */
export interface Bearer {
  /** What they may do in the workgroup; undefined where they are no member or none is named. */
  readonly scope: WorkgroupScope | undefined;
  readonly isStaff: boolean;
  readonly isAddonManager?: boolean;
  readonly isApiToken?: boolean;
}

/** Why somebody is not of those whom something is for; `stranger`: they may not learn what is missing. */
export type Lack = 'stranger' | 'inPerson' | 'commands' | 'permission' | 'role';

/**
 * Why something is not for somebody who holds a full session or an API token; null where it is. The cloud and the guards
 * of the web both ask this.
 */
export function lackOf(who: Who, by: Bearer): Lack | null {
  const onlyIf = (isMet: boolean | undefined): Lack | null => (isMet ? null : 'stranger');
  switch (who.kind) {
    case 'public':
      return null;
    case 'signedIn':
      return onlyIf(!by.isApiToken);
    case 'apiToken':
      return onlyIf(by.isApiToken);
    case 'staff':
      return onlyIf(by.isStaff);
    case 'addonManager':
      return onlyIf(by.isStaff && by.isAddonManager);
    case 'member':
    case 'can':
    case 'commands':
      if (!by.scope) return 'stranger';
      return who.inPerson && by.isApiToken ? 'inPerson' : lackOfMember(who, by.scope);
    default:
      return 'stranger';
  }
}

function lackOfMember(
  who: Who & { kind: 'member' | 'can' | 'commands' },
  scope: WorkgroupScope,
): Lack | null {
  if (who.kind === 'commands') return mayRunCommands(scope) ? null : 'commands';
  if (who.kind !== 'can') return null;
  if (!who.permissions.some((permission) => holds(scope, permission))) return 'permission';
  return who.roles && !who.roles.includes(scope.role) ? 'role' : null;
}

/** Members of a device group, whom `unbound` refuses. */
export const isBound = (scope: WorkgroupScope | undefined): boolean => (scope?.devGroup ?? null) !== null;
