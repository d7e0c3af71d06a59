import { kindOfPath } from '@albedo/contract/schedules/schedules.names';
import type { DeviceSchedule } from '@albedo/contract/schedules/schedules.schema';
import type { TFunction } from 'i18next';
import { NO_VALUE } from '../../ui/units/numbers.ts';
import { endOf, stepsOf } from './steps.ts';
import { valueText } from './values.ts';
import { dayAndClock } from './when-text.ts';

/** Values that are named one by one; of more it is said how many steps there are. */
const NAMED = 3;

/** What a schedule does in short, and from when to when: `60 % · 1 Dec 12:00 – 1 Dec 15:00`. */
export function spanText(t: TFunction, schedule: DeviceSchedule, zone: string): string {
  const kind = kindOfPath(schedule.setpoint);
  const steps = stepsOf(schedule);
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last) return t('schedules.noSteps');
  const end = endOf(schedule) ?? (last.value === '' ? last.at : null);
  const values = new Set(steps.flatMap(({ value }) => (value === '' ? [] : [valueText(t, kind, value)])));
  const what =
    values.size > NAMED ? t('schedules.stepCount', { count: steps.length }) : [...values].join(', ');
  const until = end === null ? t('schedules.noEnd') : dayAndClock(end, zone);
  return `${what || NO_VALUE} · ${dayAndClock(first.at, zone)} – ${until}`;
}
