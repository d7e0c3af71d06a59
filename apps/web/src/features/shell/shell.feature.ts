import { bareAddresses } from '@albedo/contract/access/bare-addresses';
import { IconChartLine, IconSettings } from '@tabler/icons-react';
import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature, MenuEntry } from '../../app/feature.ts';
import { useMenuCommands, useShellCommands } from './use-shell-commands.ts';
import { openWorkgroup } from './workgroup-switch.ts';

/**
 * The lines of the left menu that no feature has yet. They show by themselves as soon as their route exists; a feature
 * that brings the screen may take its line along. A user of a limited kind sees only what carries their flag. Source:
 * specification 1, sections 2 and 6.
 */
const menu: readonly MenuEntry[] = [
  { at: 30, title: 'menu.analysis', to: '/analysis', keys: 'g a', Icon: IconChartLine, restricted: true },
  { at: 90, title: 'menu.admin', Icon: IconSettings },
  {
    at: 20,
    under: 'menu.admin',
    title: 'menu.entities',
    to: '/admin/entities',
    keys: 'g e',
    staffOr: 'entities',
  },
  { at: 60, under: 'menu.admin', title: 'menu.data', to: '/admin/data' },
];

/** Top bar and left menu around every screen behind sign-in. */
export const shellFeature = {
  openWorkgroup,
  leadOn: (path) => bareAddresses[path] ?? null,
  parts: {
    menu,
    commands: [
      { at: 10, useCommands: useMenuCommands },
      { at: 30, useCommands: useShellCommands },
    ],
    frame: [{ at: 10, Content: lazyRouteComponent(() => import('./shell-frame.tsx'), 'ShellFrame') }],
  },
} as const satisfies Feature;
