import { type ComponentType, useState } from 'react';
import type { TimeRangeFrameProps } from './time-range-frame.tsx';
import type { TimeRangePanelProps } from './time-range-panel.tsx';

interface Parts {
  Frame: ComponentType<TimeRangeFrameProps>;
  Panel: ComponentType<TimeRangePanelProps>;
}

let loaded: Parts | null = null;
let coming: Promise<Parts> | null = null;

/** Loads the panel of the time range, with its calendar and frame, when somebody is about to open it. */
export async function loadTimeRangePanel(): Promise<Parts> {
  coming ??= loadParts();
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
    parts: loaded,
  };
}

async function loadParts(): Promise<Parts> {
  const [{ TimeRangeFrame: Frame }, { TimeRangePanel: Panel }] = await Promise.all([
    import('./time-range-frame.tsx'),
    import('./time-range-panel.tsx'),
  ]);
  return { Frame, Panel };
}
