import { z } from 'zod';

/** Short codes of the permissions, as they stand in a token's `ps`. Source: specification 1, section 6. */
export const PERMISSION_CODES = {
  read: 'rd',
  dashboardOnly: 'do',
  audit: 'au',
  coordinate: 'co',
  manageDevices: 'md',
  controlDevices: 'cd',
  discovery: 'dy',
  tunnel: 'tl',
  manageAccess: 'ma',
  wgMembers: 'wm',
} as const;

export type Permission = keyof typeof PERMISSION_CODES;

export const permission = z.enum(Object.keys(PERMISSION_CODES) as [Permission, ...Permission[]]);

export const role = z.enum(['owner', 'admin', 'power', 'readonly']);
export type Role = z.infer<typeof role>;

/** What a user may do in one workgroup; it travels inside the session token. */
export const workgroupScope = z.object({
  role,
  permissions: z.array(permission),
  /** The same permissions as short codes, space separated. */
  ps: z.string(),
  devGroup: z.string().nullable(),
  scopes: z.object({ device: z.array(z.string()) }),
});
export type WorkgroupScope = z.infer<typeof workgroupScope>;

/** True for an owner, or when the list holds the permission by name or by short code. */
export function holds(scope: WorkgroupScope, wanted: Permission): boolean {
  return (
    scope.role === 'owner' ||
    scope.permissions.includes(wanted) ||
    scope.ps.split(' ').includes(PERMISSION_CODES[wanted])
  );
}

/** Remote commands: owner, admin, power, or a device scope that includes rpc. */
export function mayRunCommands(scope: WorkgroupScope): boolean {
  return ['owner', 'admin', 'power'].includes(scope.role) || scope.scopes.device.includes('rpc');
}
