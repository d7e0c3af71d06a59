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
    findings: [{ at: 120, load: () => import('./api-tokens.findings.ts') }],
  },
} as const satisfies Feature;
