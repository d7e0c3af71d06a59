import { anyone } from '../access/access.ts';
import { forAll, type Screens } from '../access/screens.ts';

export const displaysScreens = {
  '/display': { ...anyone, ...forAll, needs: ['GET /display'] },
} as const satisfies Screens;
