import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';
import { useTimeCommands } from './use-time-commands.ts';

/** What devices measured: sources, live feed and history. */
export const telemetry = {
  parts: {
    commands: [{ at: 40, useCommands: useTimeCommands }],
    deviceMain: [{ at: 20, Content: lazyRouteComponent(() => import('./sources-card.tsx'), 'SourcesCard') }],
    device: [
      {
        at: 20,
        id: 'live-feed',
        title: 'device.tabs.live-feed',
        Content: lazyRouteComponent(() => import('./live-feed.tsx'), 'LiveFeed'),
      },
      {
        at: 30,
        id: 'data',
        title: 'device.tabs.data',
        Content: lazyRouteComponent(() => import('./data-explorer.tsx'), 'DataExplorer'),
      },
    ],
  },
} as const satisfies Feature;
