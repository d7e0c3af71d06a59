import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { denialIn, forAll, shell } from './base.ts';

const accessDenied = createRoute({
  getParentRoute: () => shell,
  path: '/access-denied',
  staticData: { title: 'accessDenied.title', support: 'start', ...forAll, isUnlisted: true },
  validateSearch: denialIn,
  component: lazyRouteComponent(() => import('../../routes/access-denied.tsx'), 'AccessDeniedPage'),
});

const profile = createRoute({
  getParentRoute: () => shell,
  path: '/profile',
  staticData: { title: 'profile.title', support: 'profile', ...forAll },
  validateSearch: (search: Record<string, unknown>): { tab?: string } =>
    typeof search.tab === 'string' ? { tab: search.tab } : {},
  component: lazyRouteComponent(() => import('../../routes/profile.tsx'), 'ProfilePage'),
});

/** What concerns the person who is signed in. */
export const accountRoutes = [accessDenied, profile] as const;
