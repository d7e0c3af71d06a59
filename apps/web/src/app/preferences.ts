import type { UserSettings } from '@albedo/contract/settings/settings.schema';
import { localStorageColorSchemeManager, type MantineColorScheme } from '@mantine/core';
import { setZonePreference } from '../ui/units/locale.ts';
import { chooseLanguage } from './i18n.ts';

const stored = localStorageColorSchemeManager();
let showScheme: (scheme: MantineColorScheme) => void = () => {};

/** Remembers the colour scheme in this browser, so that the next page does not flash in the other one. */
export const colorSchemeManager: typeof stored = {
  ...stored,
  subscribe: (onUpdate) => {
    showScheme = onUpdate;
    stored.subscribe(onUpdate);
  },
};

/** Who chose nothing sees what a plant sent in the plant's own zone; who chose a zone, in that one. */
export const zoneModeOf = ({ timeZone, timeZoneMode }: UserSettings): 'selected' | 'collected' =>
  timeZoneMode ?? (timeZone ? 'selected' : 'collected');

/** Shows the app as its user wants it, here and at the next visit, also before signing in. */
export async function applySettings(settings: UserSettings): Promise<void> {
  const { timeZone = '', colorScheme = 'auto' } = settings;
  setZonePreference({ timeZone, mode: zoneModeOf(settings) });
  if (stored.get('auto') !== colorScheme) {
    stored.set(colorScheme);
    showScheme(colorScheme);
  }
  await chooseLanguage(settings.language);
}
