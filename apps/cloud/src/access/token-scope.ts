import { PERMISSION_CODES, type Permission, type WorkgroupScope } from '@albedo/contract/access/permissions';

/** What an API token may do in its workgroup; control of devices includes running commands on them. */
export const scopeOfToken = ({
  permissions,
  devGroup,
}: {
  permissions: readonly Permission[];
  devGroup: string | null;
}): WorkgroupScope => ({
  role: 'readonly',
  permissions: [...permissions],
  ps: permissions.map((one) => PERMISSION_CODES[one]).join(' '),
  devGroup,
  scopes: { device: permissions.includes('controlDevices') ? ['rpc'] : [] },
});
