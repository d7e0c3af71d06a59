import type { DeviceSetpoint } from '@albedo/contract/schedules/schedules.schema';
import type { TFunction } from 'i18next';
import { formatDecimal } from '../../ui/units/numbers.ts';

/** What schedules of a setpoint have to keep to, in a line. */
export function boundsText(t: TFunction, { kind, bounds }: DeviceSetpoint): string {
  const unit = kind === 'setpoint_cosphi' ? '' : ' %';
  const number = (value: number) => `${formatDecimal(value, 2)}${unit}`;
  const { least, most, step, rampPerMinute, dwellMinutes, persistentWritesADay, whenLost } = bounds;
  const parts = [
    least === null ? null : t('schedules.bounds.says.least', { value: number(least) }),
    most === null ? null : t('schedules.bounds.says.most', { value: number(most) }),
    step === null ? null : t('schedules.bounds.says.step', { value: number(step) }),
    rampPerMinute === null ? null : t('schedules.bounds.says.ramp', { value: number(rampPerMinute) }),
    dwellMinutes === null ? null : t('schedules.bounds.says.dwell', { count: dwellMinutes }),
    persistentWritesADay === null ? null : t('schedules.bounds.says.writes', { count: persistentWritesADay }),
    whenLost === null ? null : t(`schedules.bounds.says.${whenLost}`),
  ].filter((one) => one !== null);
  return parts.length === 0
    ? t('schedules.bounds.none')
    : t('schedules.bounds.all', { bounds: parts.join(', ') });
}
