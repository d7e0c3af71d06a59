import type { PlantFinding } from '@albedo/contract/plants/plants.schema';
import type { TFunction } from 'i18next';
import { formatClock, formatDay } from '../../ui/time-range/zoned-time.ts';
import { formatDecimal } from '../../ui/units/numbers.ts';

/** What is wrong, as a sentence: `inv-01 gives 24 % less than expected since 16 Nov`. Times in the plant's zone. */
export function findingText(
  t: TFunction,
  { kind, source, since, percent }: PlantFinding,
  {
    plant,
    zone,
    now,
    nameOf,
  }: { plant: string; zone: string; now: number; nameOf?: (source: string) => string },
): string {
  const who = source === null ? plant : (nameOf?.(source) ?? source);
  const share = `${formatDecimal(Math.round(percent ?? 0), 0)} %`;
  if (since === null) return t(`plants.finding.${kind}`, { who, share });
  const when = kind === 'below' ? formatDay(since, zone, 'dayOfYear') : timeText(since, zone, now);
  return t(`plants.finding.${kind}Since`, { who, share, when });
}

/** The clock for today, with the day before it for earlier. */
function timeText(at: number, zone: string, now: number): string {
  const isToday = formatDay(at, zone) === formatDay(now, zone);
  return isToday ? formatClock(at, zone) : `${formatDay(at, zone, 'dayOfYear')} ${formatClock(at, zone)}`;
}
