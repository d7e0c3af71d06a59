import { anyone } from '../access/access.ts';
import { forAll, type Screens } from '../access/screens.ts';

export const sessionsScreens = {
  '/': { ...anyone, ...forAll },
  '/login': { ...anyone, ...forAll, needs: ['POST /auth/local'] },
  '/login/sso': { ...anyone, ...forAll, needs: ['POST /auth/saml/login'] },
  '/login/sso/callback': { ...anyone, ...forAll },
  '/logout': { ...anyone, ...forAll },
  '/logout/sso/callback': { ...anyone, ...forAll },
  '/session-expired': { ...anyone, ...forAll },
} as const satisfies Screens;
