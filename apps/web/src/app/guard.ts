import { isBound, type Lack, lackOf } from '@albedo/contract/access/access';
import { holds, type Permission, scopeIn, type WorkgroupScope } from '@albedo/contract/access/permissions';
import type { RuleAction } from '@albedo/contract/access/resources';
import type { Screen } from '@albedo/contract/access/screens';
import type { AccessMap } from '@albedo/contract/access-control/access-control.schema';
import { isOn } from '@albedo/contract/http/query';
import { isOwnPage } from '@albedo/contract/workgroups/own-page';
import type { Session } from './session.ts';

/** What a route says about itself. */
export interface RouteInfo {
  /** Who may open it, as the contract declares it under its address; a route without it is only around others. */
  access?: Screen;
  /** Key of the language file; a route without one has no screen. */
  title?: string;
  /** Key of the page of our documentation that stands beside the screen: docs/help/<language>/<key>.md. */
  support?: string;
  /** Leads nowhere by itself: not found by the global search. */
  isUnlisted?: boolean;
  /** Its texts are among those that come first (`first-keys.ts`); all other screens wait for all texts. */
  isFirst?: boolean;
}

/** What the guards know of a user in the workgroup they look at. */
export interface Visitor {
  scope: WorkgroupScope;
  isStaff: boolean;
  addons: readonly string[];
  settings: Readonly<Record<string, unknown>>;
}

/** What is missing, as it stands in the address of the page that says so. */
export interface Denial {
  required?: 'addons' | 'settings' | 'permission' | 'access-control' | 'device-group';
  addon?: string;
  /** What the rules do not allow. */
  label?: string;
}

/** What the server said about the user and the workgroup they look at; null for one that is closed to them. */
export function visitorOf({ user, workgroup, workgroups }: Session): Visitor | null {
  const scope = scopeIn(user, workgroup);
  const facts = workgroups?.find(({ name }) => name === workgroup);
  if (!scope) return null;
  return {
    scope,
    isStaff: user.staff,
    addons: facts?.addons.map(({ id }) => id) ?? [],
    settings: facts?.settings ?? {},
  };
}

/** Dashboard-only: holds the permission of that name and is not owner. */
export const isDashboardOnly = (scope: WorkgroupScope): boolean =>
  scope.role !== 'owner' && holds(scope, 'dashboardOnly');

/** Read-only: nothing but reading by role, by names or by short codes. */
export const isReadOnly = ({ role, permissions, ps }: WorkgroupScope): boolean =>
  role === 'readonly' ||
  ps === 'rd' ||
  ps === 'rd do' ||
  (permissions.length > 0 && permissions.every((permission) => permission === 'read'));

export const isRestricted = ({ scope, addons }: Visitor): boolean =>
  scope.role !== 'owner' && isReadOnly(scope) && addons.includes('restricted-readonly');

/**
 * Why the visitor may not open the screen, null when they may. The first guard that fails decides: the first six are
 * those of the specification, in its order.
 */
export function denialOf(screen: Screen, visitor: Visitor): Denial | null {
  const addons = addonsOf(screen);
  if (!addons.every((one) => visitor.addons.includes(one)))
    return { required: 'addons', addon: addons[0] ?? '' };
  if (!(screen.settings ?? []).every((setting) => isOn(visitor.settings[setting])))
    return { required: 'settings' };
  const lack = lackIn(screen, visitor);
  if (lack !== null && lack !== 'stranger') return { required: 'permission' };
  if (isDashboardOnly(visitor.scope) && !screen.dashboardOnly) return { required: 'permission' };
  if (isRestricted(visitor) && !screen.restricted) return { required: 'permission' };
  if (lack !== null || (screen.onlyStaff && !visitor.isStaff)) return {};
  if (screen.unbound && isBound(visitor.scope)) return { required: 'device-group' };
  return null;
}

const addonsOf = ({ addon }: Screen): readonly string[] =>
  typeof addon === 'string' ? [addon] : (addon ?? []);

const lackIn = ({ who }: Screen, { scope, isStaff }: Visitor): Lack | null => lackOf(who, { scope, isStaff });

/** The last guard: what the rules have to allow. `mine` is what they do; the addon decides whether they count. */
export function ruleDenialOf({ rule }: Screen, mine: AccessMap): Denial | null {
  if (!rule || !mine.isOn) return null;
  const { resource, action, on } = rule;
  const allowed: readonly string[] = mine.resources[resource]?.[on] ?? [];
  return allowed.includes(action) ? null : { required: 'access-control', label: rightOf(rule) };
}

/** As the denial calls it: 'Create Dashboard'. */
const rightOf = ({ action, resource }: RuleAction): string =>
  `${action[0]?.toUpperCase()}${action.slice(1)} ${resource}`;

/** What exactly is missing, in more detail than the address says it; it travels with the navigation. */
export interface Missing {
  settings: readonly string[];
  /** One of these would be enough. */
  permissions: readonly Permission[];
  /** The kind of user that the screen is not for, or the only one it is for. */
  kind: 'dashboardOnly' | 'restricted' | 'staff' | null;
}

/** The details of a denial that `denialOf` found. */
export function missingOf(screen: Screen, visitor: Visitor): Missing {
  const { who, settings = [] } = screen;
  const isLacking = lackIn(screen, visitor) === 'permission' && who.kind === 'can';
  return {
    settings: settings.filter((setting) => !isOn(visitor.settings[setting])),
    permissions: isLacking ? who.permissions : [],
    kind: kindOf(screen, visitor),
  };
}

function kindOf(screen: Screen, visitor: Visitor): Missing['kind'] {
  if (isDashboardOnly(visitor.scope) && !screen.dashboardOnly) return 'dashboardOnly';
  if (isRestricted(visitor) && !screen.restricted) return 'restricted';
  const isForStaff = screen.onlyStaff || lackIn(screen, visitor) === 'stranger';
  return isForStaff && !visitor.isStaff ? 'staff' : null;
}

/** The screen after signing in. Source: specification 1, section 2. */
export function landingOf(visitor: Visitor | null): string {
  if (!visitor) return LANDING;
  if (isRestricted(visitor)) return '/analysis';
  const ofGroup = groupPage(visitor);
  if (ofGroup !== null) return ofGroup;
  if (isDashboardOnly(visitor.scope)) return '/entities/dash3';
  const { defaultPage } = visitor.settings;
  return typeof defaultPage === 'string' && isOwnPage(defaultPage) ? defaultPage : LANDING;
}

/** The default page of the visitor's device group, where the workgroup's settings name one. */
function groupPage({ scope, settings }: Visitor): string | null {
  const pages = settings.deviceGroupDefaultPages as Record<string, unknown> | null | undefined;
  const page = scope.devGroup === null ? null : pages?.[scope.devGroup];
  return typeof page === 'string' && isOwnPage(page) ? page : null;
}

export const LANDING = '/devices';

/** An address of this app that was asked for before signing in; anything else leads to the landing page. */
export function insidePath(path: string | undefined, landing: string = LANDING): string {
  return path && isInside(path) && !path.startsWith('/login') ? path : landing;
}

/** Browsers leave control characters out, and a path of two slashes would be another host. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const isInside = (path: string): boolean => /^\/(?![/\\])[^\0-\x1f]*$/.test(path);
