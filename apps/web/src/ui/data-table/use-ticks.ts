import { useCallback, useState } from 'react';

/** Which rows are ticked, by their ids. */
export function useTicks() {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const tick = useCallback((rowId: string, isTicked: boolean) => {
    setTicked((old) => {
      const next = new Set(old);
      if (isTicked) next.add(rowId);
      else next.delete(rowId);
      return next;
    });
  }, []);
  const tickAll = useCallback((rowIds: readonly string[]) => setTicked(new Set(rowIds)), []);
  return { ticked, tick, tickAll };
}
