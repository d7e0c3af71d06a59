import { AppError } from '../errors/app-error.ts';
import type { MonthSpan } from '../telemetry/telemetry.service.ts';
import type { CleaningRow, DropRow, DropsStore, HoldRow, Part } from './drops.store.ts';

/** Throws `data_table.held` if a legal hold is on any part of what is to be deleted. */
export function demandFree(holds: readonly HoldRow[], { month }: Pick<Part, 'month'>): void {
  const hold = holds.find((held) => held.month === null || month === null || held.month === month);
  if (hold) throw heldBy(hold);
}

export const heldBy = (hold: HoldRow): AppError =>
  new AppError('data_table.held', { by: hold.by, what: nameOf(hold), reason: hold.reason });

/** Whether the long action with this id waits or runs. */
export type IsOpen = (action: string) => Promise<boolean>;

/** The drops of a table by their state; `ended` are those that were cancelled, failed or are gone. */
export async function dropsOf(
  store: Pick<DropsStore, 'drops'>,
  isOpen: IsOpen,
  { workgroup, table }: Pick<Part, 'workgroup' | 'table'>,
): Promise<{ done: DropRow[]; running: DropRow[]; ended: DropRow[] }> {
  const all = await store.drops(workgroup, table);
  const open = await Promise.all(all.map(async ({ action }) => action !== null && (await isOpen(action))));
  const rest = all.filter((_, i) => !open[i]);
  return {
    running: all.filter((_, i) => open[i]),
    done: rest.filter(({ doneAt, action }) => doneAt !== null && action === null),
    ended: rest.filter(({ doneAt, action }) => doneAt === null || action !== null),
  };
}

/** Whether a running drop overlaps the part. */
export const meets = (running: Pick<DropRow, 'month'>, { month }: Pick<Part, 'month'>): boolean =>
  month === null || running.month === '' || running.month === month;

/** Whether this cleaning deletes rows of the part that is to be dropped. */
export const cleans = (cleaning: CleaningRow, { month }: Pick<Part, 'month'>): boolean =>
  month === null || (cleaning.month === '' ? spanOf(month).from < cleaning.before : cleaning.month === month);

/** `inverter`, or `inverter 2026-03`. */
export const nameOf = ({ table, month }: Pick<Part, 'table' | 'month'>): string =>
  month === null ? table : `${table} ${month.slice(0, 7)}`;

/** The span of a month, given by its first day in UTC. */
export function spanOf(month: string): MonthSpan {
  const from = new Date(`${month}T00:00:00Z`);
  return { from: from.getTime(), to: Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1) };
}
