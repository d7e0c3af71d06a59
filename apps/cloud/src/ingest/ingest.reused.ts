import type { BatchRow } from '@albedo/contract/link/link.messages';
import { IntervalSet, type Range, rangesOf } from '../completeness/completeness.service.ts';
import type { TelemetryBlock } from '../telemetry/telemetry.service.ts';

/** What of repeated rows has to be stored. */
export interface Sorted {
  /** Under numbers that they got earlier, or for the first time now. */
  rows: BatchRow[];
  /** Rows that have no number of their own yet. */
  unnumbered: BatchRow[];
}

export interface SortOptions {
  /** Rows of a block that are stored as they are. */
  held: (block: TelemetryBlock) => Promise<ReadonlySet<BatchRow>>;
  /** Other numbers under which a row may have been stored, in the order in which they were given. */
  aliasesOf: (id: number) => Iterable<number>;
  isDone: (id: number) => boolean;
}

/**
 * Sorts rows whose numbers are known already. One that is stored with the same time and values is a repeat and is left out;
 * any other one came with a number that stands for another event, and is to be stored under a number of its own.
 */
export async function sortRepeats(block: TelemetryBlock, options: SortOptions): Promise<Sorted> {
  const { held, aliasesOf, isDone } = options;
  const tries = block.rows.map((row) => [row[0], ...aliasesOf(row[0])].map((id) => withNumber(row, id)));
  const stored = await held({ ...block, rows: tries.flat().filter((row, _at) => isDone(row[0])) });
  const chosen = new Map<number, BatchRow>();
  const unnumbered: BatchRow[] = [];
  for (const candidates of tries) {
    if (candidates.some((row) => stored.has(row) || isSame(chosen.get(row[0]), row))) continue;
    const free = candidates.find((row) => !isDone(row[0]) && !chosen.has(row[0]));
    const [row] = candidates as [BatchRow];
    if (free) chosen.set(free[0], free);
    else if (!unnumbered.some((one) => isSame(one, row))) unnumbered.push(row);
  }
  return { rows: [...chosen.values()], unnumbered };
}

/** Numbers of rows as ranges; one that stands for several rows comes as often, each time in ranges of its own. */
export function rangesOfAll(rows: readonly BatchRow[]): Range[] {
  const rounds: number[][] = [];
  const times = new Map<number, number>();
  for (const [id] of rows) {
    const round = times.get(id) ?? 0;
    times.set(id, round + 1);
    rounds[round] = [...(rounds[round] ?? []), id];
  }
  return rounds.flatMap((ids) => rangesOf(ids));
}

export const numbersOf = (rows: readonly BatchRow[]): Range[] => {
  const set = new IntervalSet();
  for (const [id] of rows) set.add(id, id);
  return [...set];
};

const withNumber = ([, eventAt, ...values]: BatchRow, id: number): BatchRow => [id, eventAt, ...values];

const isSame = (a: BatchRow | undefined, b: BatchRow): boolean =>
  a !== undefined && a.length === b.length && a.every((value, at) => value === b[at]);
