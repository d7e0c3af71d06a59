import { can } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const historyImportsScreens = {
  '/admin/data/imports': {
    ...can('coordinate'),
    unbound: true,
    needs: ['GET /historyImports/:wg', 'POST /historyImports/:wg'],
  },
} as const satisfies Screens;
