import type { ValueFunction } from '@albedo/contract/boards/widgets/value-functions';
import { createContext, useContext, useEffect } from 'react';
import type { Span } from '../../ui/time-range/time-range.ts';
import type { Line } from './lines.ts';

/** Where numbers come from: their lines, what is made of each, and over which range. */
export interface Origin {
  lines: readonly Line[];
  fn: ValueFunction;
  /** The range of the widget by its name; without one that of the board. */
  range: string | undefined;
  /** Of a part of the range, such as a cell of a heat map. */
  span?: Span;
}

/** Where the frame of a widget keeps what its numbers come from until somebody asks; null outside of one. */
export const ShownOrigins = createContext<Set<Origin> | null>(null);

/** Says where numbers of a widget come from; its menu leads there. */
export function useOrigin(lines: readonly Line[], fn: ValueFunction, range: string | undefined): void {
  const shown = useContext(ShownOrigins);
  useEffect(() => {
    if (!shown || lines.length === 0) return;
    const origin = { lines, fn, range };
    shown.add(origin);
    return () => {
      shown.delete(origin);
    };
  }, [shown, lines, fn, range]);
}
