import { z } from 'zod';

/** An address of a screen of the web app. */
const page = z
  .string()
  .max(500)
  .regex(/^\/(?![/\\])/, 'Enter a page such as /devices');

const names = z
  .array(z.string().trim().min(1).max(80))
  .max(200)
  .refine((list) => new Set(list).size === list.length, 'Each entry can appear only once.');

/** A setting that other features read as on or off; they say what else stands in it. */
const onOrOff = z.union([z.boolean(), z.record(z.string(), z.unknown())]);

const timezone = z.string().refine((zone) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
}, 'This is not a time zone. Use a name such as Europe/Berlin.');

/** Settings of a workgroup by key, each with what may stand in it. Source: specification 2, section 3. */
export const WORKGROUP_SETTINGS = {
  severity: z
    .array(
      z.object({ id: z.string().min(1).max(40), name: z.string().min(1).max(80), color: z.string().max(40) }),
    )
    .max(20),
  categories: names,
  labels: names,
  deviceInfoKeys: names,
  sourceInfoKeys: names,
  'dailyEnergy.timezone': timezone,
  defaultPage: page,
  deviceGroupDefaultPages: z.record(z.string().max(200), page),
  meterSites: onOrOff,
  perfRatio: onOrOff,
} as const satisfies Record<string, z.ZodType>;

export type WorkgroupSettingKey = keyof typeof WORKGROUP_SETTINGS;

export const isWorkgroupSetting = (key: string): key is WorkgroupSettingKey =>
  Object.hasOwn(WORKGROUP_SETTINGS, key);
