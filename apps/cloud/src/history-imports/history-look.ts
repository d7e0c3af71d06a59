import type { HistoryImport, HistoryPlan } from '@albedo/contract/history-imports/history-imports.schema';
import { ColumnProfiles } from '../mapping/column-profiles.ts';
import { type HistoryRecord, UnreadableFile } from '../mapping/history-records.ts';
import type { OpenedFile } from './history-file.ts';
import type { SettledPlan } from './history-mapper.ts';
import { isOpen, settle } from './settle-plan.ts';

export interface Looked {
  profiles: ColumnProfiles;
  records: number;
  /** False where time ran out before the end. */
  isWhole: boolean;
}

/** Goes through all records of a file, for so long at most; `onRecords` has them in pieces. */
export async function lookThrough(
  opened: OpenedFile,
  of: {
    untilAt?: number;
    signal?: AbortSignal;
    onRecords?: (records: HistoryRecord[]) => Promise<void> | void;
  } = {},
): Promise<Looked> {
  const profiles = new ColumnProfiles(opened.columns);
  let count = 0;
  for await (const { records, fraction } of opened.pieces()) {
    for (const one of records) if ('record' in one) profiles.add(one.record);
    count += records.length;
    await of.onRecords?.(records);
    of.signal?.throwIfAborted();
    if (of.untilAt !== undefined && Date.now() > of.untilAt && fraction < 1)
      return { profiles, records: count, isWhole: false };
    // Others have a turn between two pieces.
    await new Promise(setImmediate);
  }
  return { profiles, records: count, isWhole: true };
}

/** The columns that were looked at, as a plan needs them. */
export const columnsOfLook = ({ profiles }: Looked, { units, layout }: OpenedFile) =>
  profiles.columns(units, layout?.delimiter ?? null);

/**
 * The plan of an import with what all values of its file say. Throws `UnreadableFile` where they can be read in two ways, so that
 * nothing wrong is stored.
 */
export async function settledPlan(
  opened: OpenedFile,
  { format, plan }: Pick<HistoryImport, 'format'> & { plan: HistoryPlan },
  signal?: AbortSignal,
): Promise<SettledPlan> {
  if (!isOpen(plan, format)) return plan as SettledPlan;
  const looked = await lookThrough(opened, signal ? { signal } : {});
  const columns = columnsOfLook(looked, opened);
  const settled = settle(plan, { format, layout: opened.layout, columns, profiles: looked.profiles });
  const [ask] = settled.asks;
  if (!ask) return settled.plan;
  const { column, example } = ask;
  throw new UnreadableFile(
    ask.what === 'decimal'
      ? `All numbers of ${column} can be read in two ways, such as ${example}: choose their decimal sign.`
      : `All times of ${column} can be read in two ways, such as ${example}: choose whether the day or the month comes first.`,
  );
}
