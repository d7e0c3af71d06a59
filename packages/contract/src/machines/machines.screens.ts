import { can } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

const coordinate = { ...can('coordinate'), addon: 'machines' } as const;

export const machinesScreens = {
  '/admin/entities/machines': { ...coordinate, needs: ['GET /machines/:wg'] },
  '/admin/entities/machines/$id': { ...coordinate, needs: ['GET /machines/:wg'] },
} as const satisfies Screens;
