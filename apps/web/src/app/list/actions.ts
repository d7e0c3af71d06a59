import type { BulkReply } from '@albedo/contract/http/bulk';
import type { ReactNode } from 'react';

/** What can be done with one row, by its menu: it opens a dialog, asks before it does something, or does it at once. */
export type RowAction<T> = Named & {
  /** Why it cannot be done with this row; null or left out where it can. */
  disabledBecause?: string | null;
} & (
    | { dialog: (row: T, dialog: OpenDialog) => ReactNode }
    | { ask: Question; run: () => Promise<void> }
    | { run: () => Promise<void>; failed: string }
  );

interface Named {
  /** Name of the action in the code. */
  id: string;
  title: string;
  icon: ReactNode;
  isDangerous?: boolean;
}

interface Question {
  text: ReactNode;
  /** It takes nothing away. */
  isHarmless?: boolean;
}

export interface OpenDialog {
  close: () => void;
  /** Goes on with another action of the same row. */
  start: (id: string) => void;
}

/** What can be done with all rows that are ticked. */
export type BulkAction<T> = Named & {
  /** Those of the rows that it concerns; all of them without it. */
  of?: (rows: readonly T[]) => readonly T[];
} & (
    | { dialog: (rows: readonly T[], dialog: { close: () => void; untick: () => void }) => ReactNode }
    | {
        ask: (rows: readonly T[]) => Question;
        /** One call with so many ids. */
        run: (ids: string[]) => Promise<BulkReply>;
        done: (rows: readonly T[]) => string;
      }
  );
