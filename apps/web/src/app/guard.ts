import { holds, type Permission, scopeIn, type WorkgroupScope } from '@albedo/contract/access/permissions';
import type { AccessAction, ResourceType } from '@albedo/contract/access/resources';
import type { AccessMap } from '@albedo/contract/access-control/access-control.schema';
import type { Session } from './session.ts';

/** Who may open a route, as data. Source: specification 1, sections 2 and 6. */
export interface RouteGuard {
  /** All of these addons have to be enabled. */
  addons?: readonly string[];
  /** All of these settings of the workgroup have to be on. */
  settings?: readonly string[];
  /** At least one of these permissions is needed. */
  permissions?: readonly Permission[];
  /** Flag D of the specification: open to dashboard-only users. */
  dashboardOnly?: boolean;
  /** Flag R of the specification: open to restricted read-only users. */
  restricted?: boolean;
  /** Only for the provider's own staff. */
  staff?: boolean;
  /** What the access-control rules have to allow, where the workgroup has the addon. */
  rule?: RuleGuard;
}

/** A right that rules give, on every resource of a type. */
export interface RuleGuard {
  resourceType: ResourceType;
  action: AccessAction;
  /** As the denial calls it. */
  label: string;
}

/** What a route says about itself. */
export interface RouteInfo extends RouteGuard {
  /** Key of the language file; a route without one has no screen. */
  title?: string;
  /** Key of the page of our documentation that stands beside the screen: docs/help/<language>/<key>.md. */
  support?: string;
  /** Leads nowhere by itself: not found by the global search. */
  isUnlisted?: boolean;
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
  required?: 'addons' | 'settings' | 'permission' | 'access-control';
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

/** Why the visitor may not open the route, null when they may. The first guard that fails decides. */
export function denialOf(route: RouteGuard, visitor: Visitor): Denial | null {
  const addon = route.addons?.[0];
  if (addon !== undefined && !route.addons?.every((one) => visitor.addons.includes(one)))
    return { required: 'addons', addon };
  if (!(route.settings ?? []).every((setting) => isOn(visitor.settings[setting])))
    return { required: 'settings' };
  if (route.permissions && !route.permissions.some((permission) => holds(visitor.scope, permission)))
    return { required: 'permission' };
  if (isDashboardOnly(visitor.scope) && !route.dashboardOnly) return { required: 'permission' };
  if (isRestricted(visitor) && !route.restricted) return { required: 'permission' };
  if (route.staff && !visitor.isStaff) return {};
  return null;
}

/** The last guard: what the rules have to allow. `mine` is what they do; the addon decides whether they count. */
export function ruleDenialOf({ rule }: RouteGuard, mine: AccessMap): Denial | null {
  if (!rule || !mine.isOn) return null;
  const allowed = mine.resources[rule.resourceType]?.all ?? [];
  return allowed.includes(rule.action) ? null : { required: 'access-control', label: rule.label };
}

/** What exactly is missing, in more detail than the address says it; it travels with the navigation. */
export interface Missing {
  settings: readonly string[];
  /** One of these would be enough. */
  permissions: readonly Permission[];
  /** The kind of user that the route is not for, or the only one it is for. */
  kind: 'dashboardOnly' | 'restricted' | 'staff' | null;
}

/** The details of a denial that `denialOf` found. */
export function missingOf(route: RouteGuard, visitor: Visitor): Missing {
  const isOpen = route.permissions?.some((permission) => holds(visitor.scope, permission)) ?? true;
  return {
    settings: (route.settings ?? []).filter((setting) => !isOn(visitor.settings[setting])),
    permissions: isOpen ? [] : (route.permissions ?? []),
    kind: kindOf(route, visitor),
  };
}

function kindOf(route: RouteGuard, visitor: Visitor): Missing['kind'] {
  if (isDashboardOnly(visitor.scope) && !route.dashboardOnly) return 'dashboardOnly';
  if (isRestricted(visitor) && !route.restricted) return 'restricted';
  return route.staff && !visitor.isStaff ? 'staff' : null;
}

/** The screen after signing in. Source: specification 1, section 2. */
export function landingOf(visitor: Visitor | null): string {
  if (!visitor) return LANDING;
  if (isRestricted(visitor)) return '/analysis';
  const ofGroup = groupPage(visitor);
  if (ofGroup !== null) return ofGroup;
  if (isDashboardOnly(visitor.scope)) return '/entities/dash3';
  const { defaultPage } = visitor.settings;
  return typeof defaultPage === 'string' && isInside(defaultPage) ? defaultPage : LANDING;
}

/** The default page of the visitor's device group, where the workgroup's settings name one. */
function groupPage({ scope, settings }: Visitor): string | null {
  const pages = settings.deviceGroupDefaultPages as Record<string, unknown> | null | undefined;
  const page = scope.devGroup === null ? null : pages?.[scope.devGroup];
  return typeof page === 'string' && isInside(page) ? page : null;
}

export const LANDING = '/devices';

/** An address of this app that was asked for before signing in; anything else leads to the landing page. */
export function insidePath(path: string | undefined, landing: string = LANDING): string {
  return path && isInside(path) && !path.startsWith('/login') ? path : landing;
}

/** Browsers leave control characters out, and a path of two slashes would be another host. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const isInside = (path: string): boolean => /^\/(?![/\\])[^\0-\x1f]*$/.test(path);

/** Flags of settings. Source: specification 1, section 5. */
export function isOn(value: unknown): boolean {
  return value !== undefined && value !== null && !/^(false|f|off|no|n|0|)$/i.test(String(value));
}
