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

export const ROLES = ['owner', 'admin', 'power', 'readonly'] as const;
export type Role = (typeof ROLES)[number];

/** What a user may do in one workgroup; it travels inside the session token. */
export interface WorkgroupScope {
  role: Role;
  permissions: Permission[];
  /** The same permissions as short codes, space separated. */
  ps: string;
  devGroup: string | null;
  scopes: { device: string[] };
}

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

/** What the bearer may do in the workgroup; undefined where they are no member. The name comes from outside. */
export const scopeIn = (
  { scopes }: { readonly scopes: Readonly<Record<string, WorkgroupScope>> },
  workgroup: string,
): WorkgroupScope | undefined => (Object.hasOwn(scopes, workgroup) ? scopes[workgroup] : undefined);
