import { createContext, useContext, useEffect } from 'react';

/** What a widget shows, as a table: each row has as many texts as the head. */
export interface WidgetData {
  head: string[];
  rows: string[][];
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
