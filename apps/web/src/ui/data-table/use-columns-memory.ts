import { useState } from 'react';
import type { Column } from './column.ts';

export interface ColumnsMemory {
  visibility: Record<string, boolean>;
  /** px by column id, only where it was changed. */
  sizing: Record<string, number>;
}

/** Which columns are shown and how wide they are; the browser remembers it under `key`. */
export function useColumnsMemory<T>(key: string, columns: readonly Column<T>[]) {
  const [memory, setMemory] = useState<ColumnsMemory>(() => read(key, columns));
  function change(next: Partial<ColumnsMemory>) {
    setMemory((old) => {
      const merged = { ...old, ...next };
      localStorage.setItem(storageKey(key), JSON.stringify(merged));
      return merged;
    });
  }
  return [memory, change] as const;
}

const storageKey = (key: string): string => `albedo.table.${key}`;

function read<T>(key: string, columns: readonly Column<T>[]): ColumnsMemory {
  const visibility = Object.fromEntries(columns.map((column) => [column.id, column.isHidden !== true]));
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey(key)) ?? '{}') as Partial<ColumnsMemory>;
    return { visibility: { ...visibility, ...kept.visibility }, sizing: { ...kept.sizing } };
  } catch {
    // A memory that cannot be read is no memory.
    return { visibility, sizing: {} };
  }
}
