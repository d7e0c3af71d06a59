import type { Gap } from '@albedo/contract/completeness/completeness.schema';
import { t } from 'i18next';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatWhole } from '../../ui/units/numbers.ts';

/** How many events a gap has; their number is not always known. */
export function gapSize({ events, from, to }: Pick<Gap, 'events' | 'from' | 'to'>): string {
  if (events !== null) return t('completeness.events', { count: events, text: formatWhole(events) });
  return t('completeness.gaps.unknownNumber', { from: formatWhole(from), to: formatWhole(to) });
}

/** When the missing events happened; in the clocks of the zone. */
export function gapPeriod(
  { firstEventAt, lastEventAt }: Pick<Gap, 'firstEventAt' | 'lastEventAt'>,
  timeZone: string,
): string {
  if (firstEventAt === null && lastEventAt === null) return t('completeness.gaps.unknownTime');
  const first = formatInstant(firstEventAt ?? lastEventAt ?? 0, timeZone);
  const last = formatInstant(lastEventAt ?? firstEventAt ?? 0, timeZone);
  return first === last ? first : `${first} – ${last}`;
}

/** Which stream a gap belongs to. */
export function gapStream({ table, source }: Pick<Gap, 'table' | 'source'>): string {
  if (table === null) return t('completeness.gaps.allStreams');
  return source === null ? table : `${table} / ${source}`;
}
