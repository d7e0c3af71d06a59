import { instantOf, wallTime } from '@albedo/contract/time/zoned-time';
import type { rotas } from './notifications.tables.ts';

export type RotaRow = typeof rotas.$inferSelect;
type Plan = Pick<
  RotaRow,
  'zone' | 'members' | 'startsOn' | 'handover' | 'shiftDays' | 'weekdays' | 'overrides'
>;

/** A time without a break in which one is on call; null is nobody. */
export interface Span {
  user: string | null;
  from: number;
  to: number;
  isOverride: boolean;
}

const DAY_MS = 86_400_000;

/**
 * Who is on call from one instant to another, without holes: where nobody is, the user is null.
 *
 * Days are counted by the calendar, and each ends where the next begins, so that a change of the clocks leaves no gap and
 * nobody is there twice. A handover that the clocks skip comes after the change; one that they show twice, at the first.
 * `isMember`: those who left are a gap until the rota is mended.
 */
export function spansOf(
  rota: Plan,
  from: number,
  to: number,
  isMember: (user: string) => boolean = () => true,
): Span[] {
  const spans: Span[] = [];
  const add = (span: Span) => {
    const last = spans.at(-1);
    if (last && last.user === span.user && last.isOverride === span.isOverride && last.to === span.from)
      last.to = span.to;
    else if (span.to > span.from) spans.push(span);
  };
  const first = dayAt(rota, from);
  const start = handoverOf(rota, Math.max(0, first));
  if (from < start) add({ user: null, from, to: Math.min(start, to), isOverride: false });
  for (let day = Math.max(0, first); handoverOf(rota, day) < to; day++) {
    const begins = Math.max(from, handoverOf(rota, day));
    const ends = Math.min(to, handoverOf(rota, day + 1));
    if (ends > begins) for (const part of overridden(rota, regular(rota, day), begins, ends)) add(part);
  }
  return spans.map((span) => (span.user !== null && !isMember(span.user) ? { ...span, user: null } : span));
}

/** Who is on call at this instant; null is nobody. */
export const onCallAt = (rota: Plan, at: number, isMember?: (user: string) => boolean): string | null =>
  spansOf(rota, at, at + 1, isMember)[0]?.user ?? null;

/** Of the day that so begins: the one whose turn it is, where that day of the week is covered. */
function regular({ members, shiftDays, startsOn, weekdays }: Plan, day: number): string | null {
  const weekday = new Date(Date.parse(`${startsOn}T00:00:00Z`) + day * DAY_MS).getUTCDay() || 7;
  if (!weekdays.includes(weekday)) return null;
  return members[Math.floor(day / shiftDays) % members.length] ?? null;
}

/** The instant at which day number `day` begins. */
function handoverOf({ startsOn, handover, zone }: Plan, day: number): number {
  const [year = 0, month = 1, date = 1] = startsOn.split('-').map(Number);
  const [hour = 0, minute = 0] = handover.split(':').map(Number);
  return instantOf({ year, month, day: date + day, hour, minute }, zone);
}

/** The number of the day that an instant falls in; negative before the first one. */
function dayAt(rota: Plan, at: number): number {
  const { year, month, day } = wallTime(at, rota.zone);
  const byDate = Math.round(
    (Date.UTC(year, month - 1, day) - Date.parse(`${rota.startsOn}T00:00:00Z`)) / DAY_MS,
  );
  return at < handoverOf(rota, byDate) ? byDate - 1 : byDate;
}

/** A part of a day with its overrides, the last one written on top. */
function overridden({ overrides }: Plan, user: string | null, from: number, to: number): Span[] {
  const edges = [from, to, ...overrides.flatMap((one) => [one.from, one.to])]
    .filter((at) => at >= from && at <= to)
    .toSorted((a, b) => a - b);
  return edges.slice(1).map((end, at) => {
    const begin = edges[at] ?? from;
    const over = overrides.findLast((one) => one.from <= begin && one.to >= end && end > begin);
    return { user: over ? over.user : user, from: begin, to: end, isOverride: over !== undefined };
  });
}
