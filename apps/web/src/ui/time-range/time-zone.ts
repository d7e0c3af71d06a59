/** 'As collected' shows each device's data in the device's own zone. */
export const AS_COLLECTED = 'collected';

/** Zone of the browser. */
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/**
 * The zone that a setting stands for: `local` or nothing is the browser's, `utc` is UTC, `collected` the device's own
 * (the browser's where the device told none). A name that no clock knows is the browser's zone.
 */
export function resolveZone(setting: string | undefined, deviceZone?: string | null): string {
  if (setting === undefined || setting === '' || setting === 'local') return browserZone();
  if (setting.toLowerCase() === 'utc') return 'UTC';
  const wanted = setting === AS_COLLECTED ? (deviceZone ?? '') : setting;
  return isZone(wanted) ? wanted : browserZone();
}

export function isZone(name: string): boolean {
  if (name === '') return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Region/city names that can be chosen. */
export const zoneNames = (): string[] =>
  Intl.supportedValuesOf('timeZone').filter((name) => name.includes('/'));
