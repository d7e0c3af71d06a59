import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { forAll, shell } from './base.ts';

const page = lazyRouteComponent(() => import('../../routes/announcements.tsx'), 'AnnouncementsPage');
const announcements = createRoute({
  getParentRoute: () => shell,
  path: '/announcements',
  staticData: { title: 'announcements.title', support: 'announcements', ...forAll },
  component: page,
});
const newAnnouncements = createRoute({
  getParentRoute: () => shell,
  path: '/newannouncements',
  staticData: { title: 'announcements.title', support: 'announcements', isUnlisted: true },
  component: page,
});

/** What the provider tells everybody. */
export const announcementsRoutes = [announcements, newAnnouncements] as const;
