import { type KeyboardEvent, useState } from 'react';

interface ActiveRow<T> {
  rows: readonly { id: string; original: T }[];
  /** How many rows are in sight. */
  inSight: () => number;
  reveal: (index: number) => void;
  onOpen: ((row: T) => void) | undefined;
  /** Undefined where rows cannot be ticked. */
  onTick: ((rowId: string) => void) | undefined;
}

/** The row that the keyboard is on: the grid is one stop, and its keys move over the rows. */
export function useActiveRow<T>({ rows, inSight, reveal, onOpen, onTick }: ActiveRow<T>) {
  const [activeId, setActiveId] = useState<string | null>(null);
  const activeIndex = activeId === null ? -1 : rows.findIndex((row) => row.id === activeId);

  function handleKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.target !== event.currentTarget) return;
    const active = rows[activeIndex];
    if (event.key === 'Enter' && active) onOpen?.(active.original);
    if (event.key === ' ' && active && onTick) {
      event.preventDefault();
      onTick(active.id);
    }
    const target = targetIndex(event.key, activeIndex, rows.length, inSight() - 1);
    const next = target === null ? undefined : rows[target];
    if (!next || target === null) return;
    event.preventDefault();
    setActiveId(next.id);
    reveal(target);
  }

  return { activeId: activeIndex < 0 ? null : activeId, setActiveId, handleKeyDown };
}

function targetIndex(key: string, from: number, count: number, page: number): number | null {
  const targets: Record<string, number> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: count - 1,
  };
  const target = targets[key];
  return target === undefined || count === 0 ? null : Math.max(0, Math.min(count - 1, target));
}
