import { createContext, useContext, useEffect } from 'react';

/** A text, a number with all its digits, or an instant: a table shows it in the zone of the board, a file as it is asked for. */
export type Cell = string | number | Date;

/** What a widget shows, as a table: each row has as many cells as the head. */
export interface WidgetData {
  head: string[];
  rows: Cell[][];
}

/** Where the frame of a widget keeps what is shown in it until somebody asks for it; null outside of one. */
export const ShownData = createContext<{ current: WidgetData | null } | null>(null);

/** Says what a widget shows; its menu makes a table or a file of it. */
export function useWidgetData(data: WidgetData | null): void {
  const shown = useContext(ShownData);
  useEffect(() => {
    if (!shown) return;
    shown.current = data;
    return () => {
      shown.current = null;
    };
  });
}
