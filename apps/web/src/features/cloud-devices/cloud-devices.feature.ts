import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** Devices that the cloud itself runs. */
export const cloudDevices = {
  parts: {
    deviceMain: [
      { at: 5, Content: lazyRouteComponent(() => import('./cloud-device-card.tsx'), 'CloudDeviceCard') },
    ],
  },
} as const satisfies Feature;
