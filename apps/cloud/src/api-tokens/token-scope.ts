import { PERMISSION_CODES, type WorkgroupScope } from '@albedo/contract/access/permissions';
import type { ApiTokenRow } from './api-tokens.store.ts';

/** What an API token may do in its workgroup; whoever may control devices may also run commands on them. */
export const scopeOfToken = ({
  permissions,
  devGroup,
}: Pick<ApiTokenRow, 'permissions' | 'devGroup'>): WorkgroupScope => ({
  role: 'readonly',
  permissions: [...permissions],
  ps: permissions.map((one) => PERMISSION_CODES[one]).join(' '),
  devGroup,
  scopes: { device: permissions.includes('controlDevices') ? ['rpc'] : [] },
});
