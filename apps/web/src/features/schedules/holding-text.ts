import { kindOfPath } from '@albedo/contract/schedules/schedules.names';
import type { DeviceSchedule } from '@albedo/contract/schedules/schedules.schema';
import type { SetpointKind } from '@albedo/contract/schedules/setpoints';
import type { TFunction } from 'i18next';
import type { Holding } from './holding.ts';
import { isCurtailing, partsOf, valueText } from './values.ts';
import { whenText } from './when-text.ts';

/** What a kind is called, and what a setpoint is called among those of its device. */
export const kindText = (t: TFunction, kind: SetpointKind): string => t(`schedules.kinds.${kind}`);

/** What holds, in a sentence without its value in front: `Limited to 60 % until 15:00`. */
export function holdingText(t: TFunction, holding: Holding, zone: string, now: number): string {
  const { setpoint, value, until, next, isChanged } = holding;
  const text = valueText(t, setpoint.kind, value);
  if (setpoint.type === 'fixed') return t('schedules.holds.fixed', { value: text });
  if (value === null || value === '') {
    if (!next) return t(`schedules.holds.nothing.${setpoint.kind}`);
    return t('schedules.holds.next', {
      at: whenText(next.from, zone, now),
      value: valueText(t, setpoint.kind, next.value),
    });
  }
  if (isChanged) return t('schedules.holds.changed', { value: text });
  const isStopped = setpoint.kind === 'setpoint_activepower' && partsOf(setpoint.kind, value).number === 0;
  const what = isStopped ? 'stopped' : isCurtailing(setpoint.kind, value) ? 'limited' : 'set';
  return until === null
    ? t(`schedules.holds.${what}`, { value: text })
    : t(`schedules.holds.${what}Until`, { value: text, until: whenText(until, zone, now) });
}

/**
 * How many inverters follow: `18 of 19 inverters follow`, and how many nobody can test yet, as at night; empty where nothing
 * holds, or none told.
 */
export function followText(t: TFunction, { value, followed, notFollowed, inverters }: Holding): string {
  if (inverters === 0 || !value) return '';
  const open = inverters - followed - notFollowed;
  if (open === inverters) return t('schedules.noneTestable', { count: inverters });
  const follow = t('schedules.follow', { followed, count: inverters });
  return open === 0 ? follow : `${follow}, ${t('schedules.someTestable', { count: open })}`;
}

interface Named extends Pick<DeviceSchedule, 'name' | 'setpoint' | 'entries'> {
  origin: DeviceSchedule['origin'] | 'release';
}

/** What a schedule is called: one that was set by hand by its value. */
export function nameText(t: TFunction, { origin, name, setpoint, entries }: Named): string {
  const value = entries[0]?.value;
  return origin === 'override' && value ? valueText(t, kindOfPath(setpoint), value) : name;
}
