import { z } from 'zod';
import { digest, quietHours } from '../notifications/notifications.schema.ts';
import { workgroupName } from '../workgroups/workgroups.schema.ts';

/** Languages that the app and its mails speak. */
export const LANGUAGES = ['en', 'de', 'es'] as const;
export const language = z.enum(LANGUAGES, 'The languages are en, de and es.');
export type Language = z.infer<typeof language>;

/** How long the value of a setting may be, as JSON. */
export const SETTING_BYTES = 16_384;

const isZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    // The one way to ask: a zone that no clock knows is thrown.
    return false;
  }
};

/** A region/city name, `utc`, or `local` (or nothing) for the browser's zone. Source: specification 1, section 9. */
export const timeZone = z
  .string()
  .max(64)
  .refine((name) => ['', 'local', 'utc'].includes(name) || isZone(name), 'This time zone does not exist.');

/** Settings of a user by key. What is not set is absent. */
export const userSettings = z
  .object({
    /** Names of workgroups that the selector leaves out. Source: specification 1, section 3. */
    hiddenOrgs: z.array(workgroupName).max(200),
    /** Without it the browser's, or English. */
    language,
    /** Where 'Selected timezone' counts. */
    timeZone,
    /** `collected`: data of a device stands in the device's own zone. */
    timeZoneMode: z.enum(['selected', 'collected']),
    colorScheme: z.enum(['auto', 'light', 'dark']),
    /** When messages about incidents wait. */
    quietHours,
    /** Without it each message comes by itself. */
    digest,
  })
  .partial();
export type UserSettings = z.infer<typeof userSettings>;
export type SettingKey = keyof UserSettings;

export const settingKey = userSettings.keyof();
export const ofSetting = z.object({ key: z.string().max(60) });

/** Null means that the setting is not set. */
export const settingValue = z.object({ value: z.unknown() });
