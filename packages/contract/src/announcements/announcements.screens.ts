import { signedIn } from '../access/access.ts';
import { forAll, type Screens } from '../access/screens.ts';

export const announcementsScreens = {
  '/announcements': { ...signedIn, ...forAll, needs: ['GET /userAnnouncements'] },
  '/newannouncements': { ...signedIn, needs: ['GET /userAnnouncements'] },
} as const satisfies Screens;
