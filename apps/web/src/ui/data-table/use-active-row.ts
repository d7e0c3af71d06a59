import { useLocation } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useState } from 'react';

interface ActiveRow<T> {
  /** Name of the table. */
  name: string;
  grid: HTMLElement | null;
  rows: readonly { id: string; original: T }[];
  /** How many rows are in sight. */
  inSight: () => number;
  reveal: (index: number) => void;
  onOpen: ((row: T) => void) | undefined;
  /** Undefined where rows cannot be ticked. */
  onTick: ((rowId: string) => void) | undefined;
}

/** Rows that led to another page, by the page of the history and the table. */
const left = new Map<string, string>();

/**
 * The row that the keyboard is on: the grid is one stop, and its keys move over the rows. Back leads to the row that was
 * opened.
 */
export function useActiveRow<T>({ name, grid, rows, inSight, reveal, onOpen, onTick }: ActiveRow<T>) {
  const page = useLocation({ select: ({ state, href }) => `${state.__TSR_key ?? href} ${name}` });
  const [activeId, setActiveId] = useState<string | null>(() => left.get(page) ?? null);
  useEffect(() => {
    if (grid && left.delete(page) && document.activeElement === document.body)
      grid.focus({ preventScroll: true });
  }, [grid, page]);
  const open = (row: { id: string; original: T }) => {
    left.set(page, row.id);
    onOpen?.(row.original);
  };
  const activeIndex = activeId === null ? -1 : rows.findIndex((row) => row.id === activeId);

  function handleKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const active = rows[activeIndex];
    if (event.key === 'Enter' && active) open(active);
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

  const activate = (rowId: string) => {
    left.set(page, rowId);
    setActiveId(rowId);
  };
  return { activeId: activeIndex < 0 ? null : activeId, setActiveId: activate, handleKeyDown };
}

function targetIndex(key: string, from: number, count: number, page: number): number | null {
  const targets: Record<string, number> = {
    ArrowDown: from + 1,
    j: from + 1,
    ArrowUp: from - 1,
    k: from - 1,
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: count - 1,
  };
  const target = targets[key];
  return target === undefined || count === 0 ? null : Math.max(0, Math.min(count - 1, target));
}
