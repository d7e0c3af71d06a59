import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** Who a device is: its certificate, and how it gets another one, on its page. */
export const deviceIdentity = {
  parts: {
    device: [
      {
        at: 90,
        id: 'certificates',
        title: 'deviceIdentity.tab',
        right: 'manageDevices',
        Content: lazyRouteComponent(() => import('./certificates-tab.tsx'), 'CertificatesTab'),
      },
    ],
  },
} as const satisfies Feature;
