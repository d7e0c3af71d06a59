import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';
import { queryClient } from '../../app/query-client.ts';

/** Plants among the devices: on their own page, and above the list of devices. */
export const plants = {
  parts: {
    deviceHead: [{ at: 10, Content: lazyRouteComponent(() => import('./plant-panel.tsx'), 'PlantPanel') }],
    deviceAside: [
      { at: 40, Content: lazyRouteComponent(() => import('./field-roles-card.tsx'), 'FieldRolesCard') },
    ],
    devicesHead: [
      {
        at: 10,
        Content: lazyRouteComponent(() => import('./plants-band.tsx'), 'PlantsBand'),
        ask: async (wg: string) =>
          queryClient.prefetchQuery((await import('./plants.queries.ts')).plantListQuery(wg)),
      },
    ],
  },
} as const satisfies Feature;
