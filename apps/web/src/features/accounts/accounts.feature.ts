import { accountsScreens } from '@albedo/contract/accounts/accounts.screens';
import { IconUser } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root, shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';
import { loadAllTexts } from '../../app/i18n.ts';

const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset/$token',
  staticData: { access: accountsScreens['/reset/$token'], title: 'reset.title' },
  loader: loadAllTexts,
  component: lazyRouteComponent(() => import('./reset-page.tsx'), 'ResetPage'),
});

const revert = createRoute({
  getParentRoute: () => root,
  path: '/revert-email/$token',
  staticData: { access: accountsScreens['/revert-email/$token'], title: 'accounts.revertTitle' },
  loader: loadAllTexts,
  component: lazyRouteComponent(() => import('./revert-page.tsx'), 'RevertPage'),
});

const joinPage = lazyRouteComponent(() => import('./join-page.tsx'), 'JoinPage');
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation/$orgName/$token',
  staticData: { access: accountsScreens['/invitation/$orgName/$token'], title: 'join.page' },
  loader: loadAllTexts,
  component: joinPage,
});

const activation = createRoute({
  getParentRoute: () => root,
  path: '/activate/$token',
  staticData: { access: accountsScreens['/activate/$token'], title: 'join.page' },
  loader: loadAllTexts,
  component: joinPage,
});

const profile = createRoute({
  getParentRoute: () => shell,
  path: '/profile',
  staticData: { access: accountsScreens['/profile'], title: 'profile.title', support: 'profile' },
  validateSearch: (search: Record<string, unknown>): { tab?: string } =>
    typeof search.tab === 'string' ? { tab: search.tab } : {},
  component: lazyRouteComponent(() => import('./profile-page.tsx'), 'ProfilePage'),
});

/** What concerns the person: their profile, and the links in e-mails that make an account or a password. */
export const accounts = {
  publicRoutes: [reset, revert, invitation, activation],
  routes: [profile],
  parts: {
    menu: [{ at: 110, title: 'menu.profile', to: '/profile', Icon: IconUser, keys: 'g p' }],
    profile: [
      {
        at: 10,
        id: 'details',
        title: 'profile.tabs.details',
        Content: lazyRouteComponent(() => import('./details-panel.tsx'), 'DetailsPanel'),
      },
      {
        at: 20,
        id: 'security',
        title: 'profile.tabs.security',
        Content: lazyRouteComponent(() => import('./security-tab.tsx'), 'SecurityTab'),
      },
      {
        at: 30,
        id: 'workgroups',
        title: 'profile.tabs.workgroups',
        Content: lazyRouteComponent(() => import('./workgroups-panel.tsx'), 'WorkgroupsPanel'),
      },
      {
        at: 50,
        id: 'version',
        title: 'profile.tabs.version',
        Content: lazyRouteComponent(() => import('./version-panel.tsx'), 'VersionPanel'),
      },
    ],
  },
} as const satisfies Feature;
