import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** The second factor: setting it up, and managing it in the profile. */
export const mfa = {
  parts: {
    mfaWizard: [{ at: 10, Content: lazyRouteComponent(() => import('./mfa-wizard.tsx'), 'MfaWizard') }],
    profileSecurity: [{ at: 10, Content: lazyRouteComponent(() => import('./mfa-panel.tsx'), 'MfaPanel') }],
  },
} as const satisfies Feature;
