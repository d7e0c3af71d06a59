import { adminCan, can } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const dataTablesScreens = {
  '/admin/data': { ...can('coordinate') },
  '/admin/data/tables': { ...can('coordinate'), needs: ['GET /dataTables/:wg'] },
  '/admin/data/tables/$table': {
    ...can('coordinate'),
    needs: ['GET /dataTables/:wg/:table', 'GET /dataFields/:wg'],
  },
  '/admin/data/storage': { ...adminCan('coordinate'), needs: ['GET /storage/:wg'] },
} as const satisfies Screens;
