import type { CsvStyle } from '@albedo/contract/csv/csv-style.schema';
import type { CsvColumn, CsvValue } from '@albedo/contract/csv/csv-writer';
import { useSyncExternalStore } from 'react';

export interface CsvTable {
  columns: readonly CsvColumn[];
  rows: Iterable<readonly CsvValue[]>;
}

interface Common {
  /** What is saved, as people call it. */
  title: string;
  /** What the button says, where it does more than saving. */
  submit?: string;
}

/** What is on the screen, written here. */
export interface ShownCsv extends Common {
  /** Zone of the site or the screen; that of the user without it. */
  zone?: string;
  table: () => CsvTable | Promise<CsvTable>;
}

/** What the server writes, from devices of several sites. */
export interface SentCsv extends Common {
  send: (style: CsvStyle) => Promise<void>;
}

export type CsvAsk = ShownCsv | SentCsv;

let asked: CsvAsk | null = null;
const listeners = new Set<() => void>();

function tell(next: CsvAsk | null): void {
  asked = next;
  for (const listener of listeners) listener();
}

/** Every file of CSV is asked for here: one dialog says how it is written, and hands it over. */
export const askCsv = (ask: CsvAsk): void => tell(ask);
export const closeCsv = (): void => tell(null);

export const useCsvAsk = (): CsvAsk | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked,
  );
