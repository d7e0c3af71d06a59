import { SCHEDULE_LIMITS } from '@albedo/contract/schedules/schedules.names';
import { keptSetpoint, SetpointFault, type SetpointKind } from '@albedo/contract/schedules/setpoints';
import { instantsOf } from '@albedo/contract/time/zoned-time';
import type { TFunction } from 'i18next';
import { readCsv } from '../../ui/csv/read-csv.ts';
import type { Step } from './steps.ts';
import { faultText } from './values.ts';

export interface RowFault {
  /** As spreadsheets count; null for the file as a whole. */
  row: number | null;
  text: string;
}

/** Faults that are told one by one. */
const TOLD = 50;

/**
 * Reads `datetime,value`. A time without a zone is one of the site's clocks; one that these skip or have twice has to say
 * its offset. Steps rise strictly. Steps are empty where anything is wrong.
 */
export async function stepsFromCsv(
  t: TFunction,
  file: File,
  kind: SetpointKind,
  zone: string,
): Promise<{ steps: Step[]; faults: RowFault[] }> {
  const table = await readCsv(file, { rows: SCHEDULE_LIMITS.entries });
  const faults: RowFault[] = table.faults.map(({ kind: fault, row, facts }) => ({
    row,
    text: t(`schedules.csv.faults.${fault}`, facts),
  }));
  const [when, what] = ['datetime', 'value'].map((name) => table.columns.indexOf(name)) as [number, number];
  if (faults.length === 0 && (when < 0 || what < 0))
    faults.push({ row: 1, text: t('schedules.csv.noColumns') });
  if (faults.length > 0) return { steps: [], faults };
  const steps: Step[] = [];
  for (const { row, cells } of table.rows) {
    const text = cells[when] ?? '';
    const at = instantIn(text, zone);
    if (typeof at === 'string') faults.push({ row, text: t(`schedules.csv.${at}`, { text }) });
    const before = steps.at(-1)?.at;
    if (typeof at === 'number' && before !== undefined && at <= before)
      faults.push({ row, text: t(at === before ? 'schedules.csv.twice' : 'schedules.csv.order', { text }) });
    try {
      steps.push({
        at: typeof at === 'number' ? at : Number.NaN,
        value: keptSetpoint(kind, cells[what] ?? ''),
      });
    } catch (error) {
      if (!(error instanceof SetpointFault)) throw error;
      faults.push({ row, text: faultText(error) });
    }
  }
  return faults.length > 0 ? { steps: [], faults: faults.slice(0, TOLD) } : { steps, faults };
}

/** An instant, or what is wrong with it. */
function instantIn(text: string, zone: string): number | 'noTime' | 'skippedTime' | 'doubleTime' {
  const match =
    /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,3})?)?(Z|[+-]\d{2}:?\d{2})?$/i.exec(
      text,
    );
  if (!match) return 'noTime';
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    ...[number, number, number, number, number, number],
  ];
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && hour < 24 && minute < 60 && second < 60;
  if (!isReal) return 'noTime';
  if (match[7]) {
    const at = Date.parse(text.replace(' ', 'T'));
    return Number.isNaN(at) ? 'noTime' : at;
  }
  const [only, another] = instantsOf({ year, month, day, hour, minute, second }, zone);
  if (only === undefined) return 'skippedTime';
  return another === undefined ? only : 'doubleTime';
}

/** The file that a device has of it: UTC and values. */
export const stepsToCsv = (steps: readonly Step[]): string =>
  ['datetime,value', ...steps.map(({ at, value }) => `${new Date(at).toISOString()},${value}`), ''].join(
    '\r\n',
  );
