import { holds, type Permission, type WorkgroupScope } from '@albedo/contract/access/permissions';

/** What a route says about itself, as data. `title` is a key of the language file. */
export interface RouteInfo {
  title: string;
  /** At least one of these permissions is needed. */
  permissions?: readonly Permission[];
  /** Flag D of the specification: open to dashboard-only users. */
  dashboardOnly?: boolean;
  /** Flag R of the specification: open to restricted read-only users. */
  restricted?: boolean;
}

/** Dashboard-only: holds the permission of that name and is not owner. */
export const isDashboardOnly = (scope: WorkgroupScope): boolean =>
  scope.role !== 'owner' && holds(scope, 'dashboardOnly');

/**
 * What the user lacks to open the route: null when nothing, `permission`, or an empty text where the specification
 * names nothing. Source: specification 1, section 6.
 */
export function missingFor(route: RouteInfo, scope: WorkgroupScope): 'permission' | '' | null {
  if (route.permissions && !route.permissions.some((permission) => holds(scope, permission)))
    return 'permission';
  if (isDashboardOnly(scope) && !route.dashboardOnly) return '';
  return null;
}

/** The screen after signing in. Source: specification 1, section 2. */
export const LANDING = '/devices';

/** An address of this app that was asked for before signing in; anything else leads to the landing page. */
export function insidePath(path: string | undefined): string {
  return path && /^\/(?![/\\])/.test(path) && !path.startsWith('/login') ? path : LANDING;
}
