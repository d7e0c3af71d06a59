import { can } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const lookupTablesScreens = {
  '/admin/workgroup/lookup-tables': { ...can('coordinate'), needs: ['GET /lookupTables/:wg'] },
} as const satisfies Screens;
