import { can } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const asCodeScreens = {
  '/admin/workgroup/code': {
    ...can('coordinate'),
    unbound: true,
    needs: ['GET /changes/:wg', 'GET /code/:wg'],
  },
} as const satisfies Screens;
