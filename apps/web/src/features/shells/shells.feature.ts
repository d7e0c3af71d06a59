import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** The terminal of a device in the browser, and the switch that forbids all remote access. */
export const shells = {
  parts: {
    device: [
      {
        at: 90,
        id: 'remote-shell',
        title: 'shells.tab',
        right: 'commands',
        Content: lazyRouteComponent(() => import('./shell-tab.tsx'), 'ShellTab'),
      },
    ],
    workgroupSettings: [
      { at: 80, Content: lazyRouteComponent(() => import('./remote-access-card.tsx'), 'RemoteAccessCard') },
      { at: 82, Content: lazyRouteComponent(() => import('./shell-rule-card.tsx'), 'ShellRuleCard') },
    ],
  },
} as const satisfies Feature;
