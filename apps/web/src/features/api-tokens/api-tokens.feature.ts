import { apiTokensScreens } from '@albedo/contract/api-tokens/api-tokens.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminAccess } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';

const tokens = createRoute({
  getParentRoute: () => adminAccess,
  path: '/api-tokens',
  staticData: {
    access: apiTokensScreens['/admin/access/api-tokens'],
    title: 'apiTokens.title',
    support: 'access',
    tab: { at: 30, context: 'access.context.api-tokens', isFilling: true },
  },
  component: lazyRouteComponent(() => import('./token-list.tsx'), 'TokenList'),
});

/** What programs sign in with. */
export const apiTokens = {
  accessRoutes: [tokens],
  parts: {
    findings: [
      {
        at: 120,
        kind: 'api-tokens',
        name: 'apiTokens.found.name',
        title: 'apiTokens.found.title',
        advice: 'apiTokens.found.advice',
        to: '/admin/access/api-tokens',
        go: 'apiTokens.found.go',
      },
    ],
  },
} as const satisfies Feature;
