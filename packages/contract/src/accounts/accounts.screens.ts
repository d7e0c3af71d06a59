import { anyone, signedIn } from '../access/access.ts';
import { forAll, type Screens } from '../access/screens.ts';

export const accountsScreens = {
  '/reset/$token': { ...anyone, ...forAll, needs: ['PUT /forgot/:token'] },
  '/revert-email/$token': { ...anyone, ...forAll, needs: ['PUT /email-revert/:token'] },
  '/invitation/$orgName/$token': { ...anyone, ...forAll, needs: ['GET /newuser/:orgName/:token'] },
  '/activate/$token': { ...anyone, ...forAll, needs: ['GET /activate/:token'] },
  '/profile': { ...signedIn, ...forAll, needs: ['GET /me/profile'] },
} as const satisfies Screens;
