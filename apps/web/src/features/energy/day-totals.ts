import type { EnergyDay } from '@albedo/contract/energy/energy.schema';
import { atOf, dayOf } from './day-range.ts';
import { sourceScope } from './report-address.ts';

/** What sources produced on a day together. */
export interface DayTotal {
  day: string;
  energyKWh: number;
  /** Of the sources that have a value; null where one of them has no estimate. */
  expectedKWh: number | null;
  isReviewed: boolean;
}

export interface MatrixRow {
  scope: string;
  name: string;
  days: ReadonlyMap<string, DayTotal>;
}

/** What counts of a day: what somebody put in its place, and nothing of a day that was left out. */
function countedKWh({ energyKWh, review }: EnergyDay): number | null {
  if (review?.decision === 'exclude') return null;
  return review?.decision === 'override' ? review.energyKWh : energyKWh;
}

/** Days in their order, each with the sum of its sources. */
function totalsByDay(days: readonly EnergyDay[]): DayTotal[] {
  const totals = new Map<string, DayTotal>();
  for (const one of days) {
    const energyKWh = countedKWh(one);
    if (energyKWh === null) continue;
    const before = totals.get(one.day);
    const expected = one.expectedKWh;
    totals.set(one.day, {
      day: one.day,
      energyKWh: (before?.energyKWh ?? 0) + energyKWh,
      expectedKWh:
        before === undefined
          ? expected
          : expected === null || before.expectedKWh === null
            ? null
            : before.expectedKWh + expected,
      isReviewed: (before?.isReviewed ?? false) || one.review !== null,
    });
  }
  return [...totals.values()].toSorted((a, b) => a.day.localeCompare(b.day));
}

/** One row for each device, or for each source, with its days. */
export function totalsByRow(
  days: readonly EnergyDay[],
  level: 'device' | 'source',
  names: ReadonlyMap<string, string>,
): MatrixRow[] {
  const rows = new Map<string, EnergyDay[]>();
  for (const one of days) {
    const scope = level === 'device' ? `device:${one.deviceId}` : sourceScope(one);
    const kept = rows.get(scope);
    if (kept) kept.push(one);
    else rows.set(scope, [one]);
  }
  return [...rows]
    .map(([scope, own]) => ({
      scope,
      name: level === 'device' ? (names.get(own[0]?.deviceId ?? '') ?? '') : (own[0]?.source ?? ''),
      days: new Map(totalsByDay(own).map((one) => [one.day, one])),
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
}

/** Every day from the first to the last, both included. */
export function everyDay(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = atOf(from); at <= atOf(to); at += 86_400_000) days.push(dayOf(at));
  return days;
}
