import { anyone } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';

export const workgroupRequestsScreens = {
  '/signup': { ...anyone, needs: ['PUT /newuser'] },
} as const satisfies Screens;
