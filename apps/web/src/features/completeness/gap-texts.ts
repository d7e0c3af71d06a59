import type { Gap, GapCause } from '@albedo/contract/completeness/completeness.schema';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatWhole } from '../../ui/units/numbers.ts';

/** Why events are missing, in words that say what to do about it. */
export const CAUSE_TEXTS: Readonly<Record<GapCause, { title: string; text: string }>> = {
  outbox_full: {
    title: 'Outbox full',
    text: 'The device captured faster than it could send, its outbox was full, and it dropped its oldest events. A larger outbox or a better connection prevents it.',
  },
  outbox_expired: {
    title: 'Kept too long',
    text: 'The device had no connection for longer than its outbox keeps events.',
  },
  outbox_lost: {
    title: 'Outbox lost',
    text: 'The outbox on the device was deleted or its disk was replaced before everything was sent.',
  },
  set_aside: {
    title: 'Set aside',
    text: 'The server could not store these events. They are kept below with the reason.',
  },
  unexplained: {
    title: 'Not explained yet',
    text: 'Neither the device nor the server has said why yet. It may still arrive.',
  },
};

/** How many events a gap has; their number is not always known. */
export function gapSize({ events, from, to }: Pick<Gap, 'events' | 'from' | 'to'>): string {
  if (events !== null) return `${formatWhole(events)} ${events === 1 ? 'event' : 'events'}`;
  return `number unknown (${formatWhole(from)} to ${formatWhole(to)})`;
}

/** When the missing events happened; in the clocks of the zone. */
export function gapPeriod({ firstEventAt, lastEventAt }: Gap, timeZone: string): string {
  if (firstEventAt === null && lastEventAt === null) return 'time unknown';
  const first = formatInstant(firstEventAt ?? lastEventAt ?? 0, timeZone);
  const last = formatInstant(lastEventAt ?? firstEventAt ?? 0, timeZone);
  return first === last ? first : `${first} – ${last}`;
}

/** Which stream a gap belongs to. */
export function gapStream({ table, source }: Pick<Gap, 'table' | 'source'>): string {
  if (table === null) return 'all streams';
  return source === null ? table : `${table} / ${source}`;
}
