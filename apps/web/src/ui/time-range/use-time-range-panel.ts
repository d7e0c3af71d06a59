import { type ComponentType, useState } from 'react';
import type { TimeRangePanelProps } from './time-range-panel.tsx';

type Panel = ComponentType<TimeRangePanelProps>;

let loaded: Panel | null = null;
let coming: Promise<Panel> | null = null;

/** The panel of the time range is loaded, with its calendar, once somebody is about to open it. */
export async function loadTimeRangePanel(): Promise<Panel> {
  coming ??= import('./time-range-panel.tsx').then(({ TimeRangePanel }) => TimeRangePanel);
  try {
    loaded = await coming;
    return loaded;
  } catch (error) {
    // Asked for again the next time.
    coming = null;
    throw error;
  }
}

/** Whether the panel is open, and the panel; opened, it is there at once, since the focus goes into it. */
export function useTimeRangePanel() {
  const [isOpen, setOpen] = useState(false);
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  // As everything that is loaded on demand: the nearest error state says so.
  if (failure) throw failure.error;
  return {
    isOpen,
    setOpen: (next: boolean) => {
      if (!next || loaded) setOpen(next);
      else
        loadTimeRangePanel().then(
          () => setOpen(true),
          (error: unknown) => setFailure({ error }),
        );
    },
    Panel: loaded,
  };
}
