import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** Where people sign in who have no password here. */
export const identityProviders = {
  parts: {
    findings: [{ at: 130, load: () => import('./identity-providers.findings.ts') }],
    workgroupSettings: [
      {
        at: 30,
        Content: lazyRouteComponent(
          () => import('./identity-providers-section.tsx'),
          'IdentityProvidersOfWorkgroup',
        ),
      },
    ],
  },
} as const satisfies Feature;
