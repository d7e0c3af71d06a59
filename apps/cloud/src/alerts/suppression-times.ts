import type { NewSuppression } from '@albedo/contract/alerts/alerts.schema';
import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';

type Times = Pick<NewSuppression, 'startsAt' | 'zone' | 'rrule' | 'durationMinutes'>;

/** No clock change is longer, ms. */
const CHANGE_MS = 3 * 3_600_000;

/**
 * The repetition of RFC 5545 by a clock that never changes, so that it has each of its times: the zone comes in when an
 * occurrence becomes an instant. Throws for one that cannot be read.
 */
function ruleOf({ startsAt, rrule }: Times): RRuleTemporal | null {
  if (rrule === null) return null;
  const dtstart = Temporal.PlainDateTime.from(startsAt).toZonedDateTime('UTC');
  return new RRuleTemporal({
    rruleString: rrule.replace(/^RRULE:/i, ''),
    dtstart: dtstart as never,
    tzid: 'UTC',
  });
}

/** A local time that does not exist moves to after the gap; of one that exists twice the first counts. */
const instantOf = (local: Temporal.PlainDateTime, zone: string): number =>
  local.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds;

/** True where the repetition can be read and comes at least once. */
export function isRepetition(times: Times): boolean {
  if (/DTSTART/i.test(times.rrule ?? '')) return false;
  try {
    const rule = ruleOf(times);
    return rule === null || rule.next(new Date(0), true) !== null;
  } catch {
    return false;
  }
}

/** Whether it holds at an instant, and when it begins next; epoch ms. */
export function occurrenceAt(times: Times, at: number): { isActive: boolean; nextAt: number | null } {
  const { zone, startsAt, durationMinutes } = times;
  const lengthMs = durationMinutes === null ? Number.POSITIVE_INFINITY : durationMinutes * 60_000;
  const holdsFrom = (begin: number | null) => begin !== null && begin <= at && at < begin + lengthMs;
  const rule = ruleOf(times);
  if (!rule) {
    const begin = instantOf(Temporal.PlainDateTime.from(startsAt), zone);
    return { isActive: holdsFrom(begin), nextAt: begin > at ? begin : null };
  }
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime();
  const clock = local.toZonedDateTime('UTC').epochMilliseconds;
  const realOf = (one: { epochMilliseconds: number } | null) =>
    one &&
    instantOf(
      Temporal.Instant.fromEpochMilliseconds(one.epochMilliseconds)
        .toZonedDateTimeISO('UTC')
        .toPlainDateTime(),
      zone,
    );
  let last = rule.previous(new Date(clock + CHANGE_MS), true);
  while (last && (realOf(last) ?? 0) > at) last = rule.previous(new Date(last.epochMilliseconds), false);
  let next = rule.next(new Date(clock - CHANGE_MS), true);
  while (next && (realOf(next) ?? 0) <= at) next = rule.next(new Date(next.epochMilliseconds), false);
  return { isActive: holdsFrom(realOf(last)), nextAt: realOf(next) };
}
