import { PERMISSION_CODES, type Permission, type WorkgroupScope } from '@albedo/contract/access/permissions';

/** What no token may do, whatever stands in its row: it administers nobody. */
const OF_PEOPLE: readonly Permission[] = ['manageAccess', 'wgMembers', 'dashboardOnly'];

/** What an API token may do in its workgroup; control of devices includes running commands on them. */
export function scopeOfToken(token: {
  permissions: readonly Permission[];
  devGroup: string | null;
}): WorkgroupScope {
  const permissions = token.permissions.filter((one) => !OF_PEOPLE.includes(one));
  return {
    role: 'readonly',
    permissions,
    ps: permissions.map((one) => PERMISSION_CODES[one]).join(' '),
    devGroup: token.devGroup,
    scopes: { device: permissions.includes('controlDevices') ? ['rpc'] : [] },
  };
}
