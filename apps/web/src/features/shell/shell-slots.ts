import type { ReactNode } from 'react';
import type { DialogSlot } from './help-menu.tsx';

/** What other features put into the shell. */
export interface ShellSlots {
  /** In the top bar: the search, and the bell. */
  search: ReactNode;
  bell?: ReactNode;
  /** What the help menu opens to ask for support. */
  support?: DialogSlot;
  /** The documentation of the route, beside the screen. */
  help?: DialogSlot;
  /** Dialogs that open by themselves. */
  dialogs?: ReactNode;
  /** Names of workgroups that the user does not want to be offered. */
  hiddenWorkgroups?: readonly string[];
}
