import { photosScreens } from '@albedo/contract/photos/photos.api';
import { IconPhoto } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';

const all = createRoute({
  getParentRoute: () => shell,
  path: '/photos',
  staticData: { access: photosScreens['/photos'], title: 'menu.photos', support: 'photos' },
  component: lazyRouteComponent(() => import('./photos-page.tsx'), 'PhotosPage'),
});

/** What cameras of devices see. */
export const photos = {
  routes: [all],
  parts: {
    menu: [{ at: 60, title: 'menu.photos', to: '/photos', keys: 'g f', Icon: IconPhoto }],
    camera: [{ at: 10, Content: lazyRouteComponent(() => import('./camera-control.tsx'), 'CameraControl') }],
    workgroupSettings: [
      { at: 45, Content: lazyRouteComponent(() => import('./photos-section.tsx'), 'PhotosSection') },
    ],
    device: [
      {
        at: 105,
        id: 'photos',
        title: 'menu.photos',
        Content: lazyRouteComponent(() => import('./photos-tab.tsx'), 'PhotosTab'),
      },
    ],
  },
} as const satisfies Feature;
