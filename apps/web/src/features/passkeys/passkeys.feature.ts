import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** The passkeys of the signed-in user. */
export const passkeys = {
  parts: {
    profileSecurity: [
      { at: 20, Content: lazyRouteComponent(() => import('./passkey-panel.tsx'), 'PasskeyPanel') },
    ],
  },
} as const satisfies Feature;
