import type { HealthCell } from '@albedo/contract/devices/devices.health';
import { t } from 'i18next';
import { formatFixed } from '../units/numbers.ts';

/** Words of the health builder, by their keys in the texts. */
const WORDS: Readonly<Record<string, string>> = {
  online: 'online',
  offline: 'offline',
  unknown: 'unknown',
  none: 'none',
  ok: 'ok',
  warning: 'warning',
  danger: 'danger',
  Good: 'good',
  Moderate: 'moderate',
  Poor: 'poor',
  yes: 'yes',
  no: 'no',
  'just now': 'justNow',
  'Edge device': 'edge',
  'Cloud device': 'cloud',
  'not available': 'notAvailable',
};

/**
 * What the health builder of the contract says of a value, in the user's language and numbers. Names, such as that of an
 * operating system, stay as they are.
 */
export function healthText(display: string): string {
  const word = WORDS[display];
  if (word) return t(`health.${word}`);
  const [, age] = /^(\d+ (?:d|h|min|s)) ago$/.exec(display) ?? [];
  if (age) return t('time.ago', { age });
  const [, days] = /^(\d+) days?$/.exec(display) ?? [];
  if (days) return t('health.days', { count: Number(days) });
  const [, number, unit] = /^(-?\d+\.\d) (%|°C)$/.exec(display) ?? [];
  return number ? `${formatFixed(Number(number), 1)} ${unit}` : display;
}

/** As `healthText`; an uptime of no whole day in hours, which its days do not tell. */
export function cellText({ display, raw }: Pick<HealthCell, 'display' | 'raw'>): string {
  if (display !== '0 days' || typeof raw !== 'number') return healthText(display);
  return t('health.hours', { count: Math.floor(raw) });
}
