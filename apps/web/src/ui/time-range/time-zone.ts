import { zonePreference } from '../units/locale.ts';
import { isZone, todaysName } from './zone-names.ts';

/** 'As collected' shows each device's data in the device's own zone. */
export const AS_COLLECTED = 'collected';

/** Zone of the browser. */
export const browserZone = (): string =>
  todaysName(Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');

/** The zone that the user selected in the profile, the browser's without a choice. */
export const selectedZone = (): string => named(zonePreference().timeZone) ?? browserZone();

/**
 * The zone that a setting of a screen stands for: nothing is what the user chose in the profile, `local` the browser's,
 * `utc` UTC, `collected` the device's own. Where the device reported no zone, or no clock knows the name, it is the one
 * that the user selected.
 */
export function resolveZone(setting: string | undefined, deviceZone?: string | null): string {
  if (!isCollected(setting)) return named(setting) ?? selectedZone();
  return deviceZone && isZone(deviceZone) ? deviceZone : selectedZone();
}

/** Whether times are those of where the data come from: as the screen is set, or else as the profile says. */
export const isCollected = (setting: string | undefined): boolean =>
  setting === AS_COLLECTED || (!setting && zonePreference().mode === 'collected');

/** The zone of what belongs to no device. */
export const userZone = (): string => resolveZone('');

/** Null for nothing, and for a name that no clock knows. */
function named(setting: string | undefined): string | null {
  if (setting === 'local') return browserZone();
  if (setting?.toLowerCase() === 'utc') return 'UTC';
  return setting && isZone(setting) ? setting : null;
}
