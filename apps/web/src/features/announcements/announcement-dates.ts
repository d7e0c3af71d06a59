import { userZone } from '../../ui/time-range/time-zone.ts';
import { instantOf, wallTime } from '../../ui/time-range/zoned-time.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** What a `datetime-local` field shows for an ISO date, in the user's zone; empty for an empty one. */
export function localField(iso: string): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return '';
  const { year, month, day, hour, minute } = wallTime(at, userZone());
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`;
}

/** The ISO date of what such a field holds; empty for anything incomplete. */
export function isoOfField(text: string): string {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(text)?.slice(1).map(Number);
  if (!parts) return '';
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0] = parts;
  return new Date(instantOf({ year, month, day, hour, minute }, userZone())).toISOString();
}
