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
function ruleOf({ startsAt, rrule, zone }: Times): RRuleTemporal | null {
  if (rrule === null) return null;
  const dtstart = Temporal.PlainDateTime.from(startsAt).toZonedDateTime('UTC');
  return new RRuleTemporal({
    rruleString: rrule.replace(/^RRULE:/i, '').replace(UNTIL, (...parts) => `UNTIL=${untilIn(zone, parts)}`),
    dtstart: dtstart as never,
    tzid: 'UTC',
  });
}

/** A local time that does not exist moves to after the gap; of one that exists twice the first counts. */
const instantOf = (local: Temporal.PlainDateTime, zone: string): number =>
  local.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds;

/** An end in UTC, as RFC 5545 has it beside a zone. */
const UNTIL = /UNTIL=(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/i;

/** The same end by the clock of the zone, which the repetition runs on. */
function untilIn(zone: string, [, year, month, day, hour, minute, second]: string[]): string {
  const instant = Temporal.Instant.from(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const local = instant.toZonedDateTimeISO(zone).toPlainDateTime();
  return `${local.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '')}Z`;
}

/** Nothing that is planned repeats within the hour, and no list makes thousands of times of a day. */
const TOO_OFTEN = /FREQ=(?:SECONDLY|MINUTELY)|BYSECOND=|BYMINUTE=[^;]*,|[\r\n]/i;
const MOST_TIMES = 5000;

/** True where the times can be read, and come at least once. */
export function isRepetition(times: Times): boolean {
  const text = times.rrule ?? '';
  if (/DTSTART/i.test(text) || TOO_OFTEN.test(text)) return false;
  if (Number(/COUNT=(\d+)/i.exec(text)?.[1] ?? 0) > MOST_TIMES) return false;
  try {
    const rule = ruleOf(times);
    if (rule !== null && rule.next(new Date(0), true) === null) return false;
    readOccurrence(times, Date.now());
    return true;
  } catch {
    return false;
  }
}

/** Whether it holds at an instant, and when it begins next; epoch ms. One that cannot be followed any further does not hold. */
export function occurrenceAt(times: Times, at: number): { isActive: boolean; nextAt: number | null } {
  try {
    return readOccurrence(times, at);
  } catch {
    return { isActive: false, nextAt: null };
  }
}

function readOccurrence(times: Times, at: number): { isActive: boolean; nextAt: number | null } {
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
