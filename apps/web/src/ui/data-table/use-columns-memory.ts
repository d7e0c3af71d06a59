import { useState } from 'react';

export interface ColumnsMemory {
  /** Whether a column is shown, only where somebody chose it. */
  visibility: Record<string, boolean>;
  /** px by column id, only where it was changed. */
  sizing: Record<string, number>;
}

/** Which columns were chosen and how wide they were made; the browser remembers it under `key`. */
export function useColumnsMemory(key: string) {
  const [memory, setMemory] = useState<ColumnsMemory>(() => read(key));
  function change(next: Partial<ColumnsMemory>) {
    setMemory((old) => {
      const merged = { ...old, ...next };
      localStorage.setItem(storageKey(key), JSON.stringify(merged));
      return merged;
    });
  }
  return [memory, change] as const;
}

/** The number is that of the form in which it is kept. */
const storageKey = (key: string): string => `albedo.table2.${key}`;

function read(key: string): ColumnsMemory {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey(key)) ?? '{}') as Partial<ColumnsMemory>;
    return { visibility: { ...kept.visibility }, sizing: { ...kept.sizing } };
  } catch {
    // A memory that cannot be read is no memory.
    return { visibility: {}, sizing: {} };
  }
}
