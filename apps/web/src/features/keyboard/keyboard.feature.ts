import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';
import { useListCommands } from './use-list-commands.ts';

/** Keys that do something anywhere, as features announce them, and the list of all. */
export const keyboard = {
  parts: {
    background: [{ at: 60, Content: lazyRouteComponent(() => import('./keyboard.tsx'), 'Keyboard') }],
    commands: [{ at: 90, useCommands: useListCommands }],
  },
} as const satisfies Feature;
