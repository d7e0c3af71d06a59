import { parseInterval } from '@albedo/contract/telemetry/intervals';
import { Cuts } from './telemetry.cuts.ts';

/** Where calendar intervals of a range begin, cut to the range, with its end as the last; null where there are more than `most`. */
export function windowEdges(
  { from, to }: { from: number; to: number },
  interval: string | undefined,
  zone: string,
  most: number,
): number[] | null {
  const parsed = interval === undefined ? null : parseInterval(interval);
  if (parsed === null) return [from, to];
  const starts = new Cuts(parsed, { from, to }, zone, most).all({ from, to }, most);
  if (starts.length > most) return null;
  return [from, ...starts.filter((start) => start > from && start < to), to];
}

/** The calendar interval of a zone that an instant lies in, epoch ms. */
export function calendarInterval(
  at: number,
  interval: string,
  zone: string,
): { from: number; to: number } | null {
  const parsed = parseInterval(interval);
  if (parsed === null) return null;
  const cuts = new Cuts(parsed, { from: at, to: at + 1 }, zone);
  const from = cuts.startOf(at);
  const to = cuts.endOf(from);
  return to === null ? null : { from, to };
}
