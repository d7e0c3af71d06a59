import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** The files of a device: looked through, fetched and sent. */
export const deviceFiles = {
  parts: {
    device: [
      {
        at: 70,
        id: 'files',
        title: 'deviceFiles.tab',
        right: 'controlDevices',
        Content: lazyRouteComponent(() => import('./files-tab.tsx'), 'FilesTab'),
      },
    ],
  },
} as const satisfies Feature;
