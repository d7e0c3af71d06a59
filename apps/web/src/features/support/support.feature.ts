import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** Asking the provider for help, and what the staff makes of it. */
export const support = {
  parts: {
    support: [{ at: 10, Content: lazyRouteComponent(() => import('./support-widget.tsx'), 'SupportWidget') }],
    opsteam: [
      {
        at: 40,
        id: 'tickets',
        title: 'opsteam.tabs.tickets',
        context: 'opsteam.context.tickets',
        Content: lazyRouteComponent(() => import('./ticket-table.tsx'), 'TicketTable'),
      },
    ],
  },
} as const satisfies Feature;
