import { instantOf } from '@albedo/contract/time/zoned-time';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { isoWithOffset } from '../../ui/time-range/zoned-time.ts';

/** An instant as a field of date and time has it, in the zone of the person. */
export const toLocal = (at: number): string => isoWithOffset(at, userZone()).slice(0, 16);

/** Null while it is no date yet. */
export function fromLocal(text: string): number | null {
  const [, year, month, day, hour, minute] =
    /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(text)?.map(Number) ?? [];
  if (year === undefined) return null;
  return instantOf(
    { year, month: month ?? 1, day: day ?? 1, hour: hour ?? 0, minute: minute ?? 0 },
    userZone(),
  );
}
