import { AppError } from '../errors/app-error.ts';
import type { MonthSpan } from '../telemetry/telemetry.service.ts';
import type { HoldRow, Part } from './drops.store.ts';

/** Throws `data_table.held` where a hold is on what is to be deleted, or on a part of it. */
export function demandFree(holds: readonly HoldRow[], { month }: Pick<Part, 'month'>): void {
  const hold = holds.find((one) => one.month === null || month === null || one.month === month);
  if (hold) throw heldBy(hold);
}

export const heldBy = (hold: HoldRow): AppError =>
  new AppError('data_table.held', { by: hold.by, what: nameOf(hold), reason: hold.reason });

/** `inverter`, or `inverter 2026-03`. */
export const nameOf = ({ table, month }: Pick<Part, 'table' | 'month'>): string =>
  month === null ? table : `${table} ${month.slice(0, 7)}`;

/** A month by its first day in UTC. */
export function spanOf(month: string): MonthSpan {
  const from = new Date(`${month}T00:00:00Z`);
  return { from: from.getTime(), to: Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1) };
}
