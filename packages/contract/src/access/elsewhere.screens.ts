import { anyone, signedIn } from './access.ts';
import { forAll, type Screens } from './screens.ts';

/** Addresses that lead to no screen of a feature. */
export const elsewhereScreens = {
  '/access-denied': { ...signedIn, ...forAll },
  '/vrouter': anyone,
  '/$': { ...anyone, ...forAll },
} as const satisfies Screens;
