import { z } from 'zod';
import { PERMISSION_CODES, type Permission, ROLES, type WorkgroupScope } from './permissions.ts';

export const permission = z.enum(Object.keys(PERMISSION_CODES) as [Permission, ...Permission[]]);

export const role = z.enum(ROLES);

export const workgroupScope = z.object({
  role,
  permissions: z.array(permission),
  ps: z.string(),
  devGroup: z.string().nullable(),
  scopes: z.object({ device: z.array(z.string()) }),
}) satisfies z.ZodType<WorkgroupScope>;
