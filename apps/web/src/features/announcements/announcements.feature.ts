import { announcementsScreens } from '@albedo/contract/announcements/announcements.screens';
import { IconSpeakerphone } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';

const page = lazyRouteComponent(() => import('./announcements-page.tsx'), 'AnnouncementsPage');
const all = createRoute({
  getParentRoute: () => shell,
  path: '/announcements',
  staticData: {
    access: announcementsScreens['/announcements'],
    title: 'announcements.title',
    support: 'announcements',
  },
  component: page,
});
const fresh = createRoute({
  getParentRoute: () => shell,
  path: '/newannouncements',
  staticData: {
    access: announcementsScreens['/newannouncements'],
    title: 'announcements.title',
    support: 'announcements',
    isUnlisted: true,
  },
  component: page,
});

/** What the provider tells everybody. */
export const announcements = {
  routes: [all, fresh],
  parts: {
    menu: [
      { at: 100, title: 'menu.announcements', to: '/announcements', Icon: IconSpeakerphone, keys: 'g n' },
    ],
    topBar: [
      {
        at: 10,
        isWide: true,
        Content: lazyRouteComponent(() => import('./announcement-bell.tsx'), 'AnnouncementBell'),
      },
    ],
    background: [
      {
        at: 40,
        Content: lazyRouteComponent(() => import('./announcements-dialog.tsx'), 'AnnouncementsDialog'),
      },
    ],
    home: [{ at: 10, Content: page }],
    opsteam: [
      {
        at: 50,
        id: 'announcements',
        title: 'opsteam.tabs.announcements',
        context: 'opsteam.context.announcements',
        Content: lazyRouteComponent(() => import('./announcement-table.tsx'), 'AnnouncementTable'),
      },
    ],
  },
} as const satisfies Feature;
