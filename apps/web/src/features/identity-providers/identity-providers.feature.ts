import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** Where people sign in who have no password here. */
export const identityProviders = {
  parts: {
    findings: [
      {
        at: 130,
        kind: 'sign-in-certificates',
        name: 'identityProviders.found.name',
        title: 'identityProviders.found.title',
        advice: 'identityProviders.found.advice',
        to: '/admin/workgroup/settings',
        go: 'identityProviders.found.go',
      },
    ],
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
