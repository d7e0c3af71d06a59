import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';
import { loadSettings } from './settings.queries.ts';

/** How somebody wants the app. */
export const settings = {
  enter: loadSettings,
  parts: {
    profile: [
      {
        at: 40,
        id: 'appearance',
        title: 'profile.tabs.appearance',
        Content: lazyRouteComponent(() => import('./appearance-panel.tsx'), 'AppearancePanel'),
      },
    ],
  },
} as const satisfies Feature;
