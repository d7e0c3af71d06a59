import { z } from 'zod';
import { generalIssues } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { freeKey, isReservedName, isRowColumn } from '../http/reserved-names.ts';
import { IDLE_MINUTES } from '../sessions/sessions.schema.ts';
import { isOwnPage } from './own-page.ts';

/** An address of a screen of the web app. */
const page = z.string().max(500).refine(isOwnPage, 'Enter a page such as /devices');

const name = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(...ONE_LINE);

const listOf = (entry: z.ZodType<string, string>) =>
  z
    .array(entry)
    .max(200)
    .refine((list) => new Set(list).size === list.length, 'Each entry can appear only once.');

const fieldNames = listOf(name.refine((one) => !isRowColumn(one), generalIssues['issue.name_reserved']));

const label = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(...ONE_LINE);

/** Labels of entities. A bare text is its own id and has no color. */
const entityLabels = z
  .array(
    z.union([
      label.refine((id) => !isReservedName(id), generalIssues['issue.name_reserved']),
      z.object({ id: freeKey(200), name: label, color: z.string().max(40).default('') }),
    ]),
  )
  .max(500)
  .refine(
    (list) => new Set(list.map((one) => (typeof one === 'string' ? one : one.id))).size === list.length,
    'Each entry can appear only once.',
  );

/** A setting that other features read as on or off; they say what else stands in it. */
const onOrOff = z.union([z.boolean(), z.record(z.string(), z.unknown())]);

const timezone = z.string().refine((zone) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
}, 'This is not a time zone. Use a name such as Europe/Berlin.');

/** How long photos are kept, and how many gigabytes of them; what is left out is the provider's word. */
export const photosSetting = z
  .object({ days: z.number().int().min(1).max(3650), gigabytes: z.number().min(0.1).max(1000) })
  .partial();

/** Settings of a workgroup by key, each with what may stand in it. Source: specification 2, section 3. */
export const WORKGROUP_SETTINGS = {
  severity: z
    .array(
      z.object({
        id: z.string().min(1).max(40),
        name: z
          .string()
          .min(1)
          .max(80)
          .regex(...ONE_LINE),
        color: z.string().max(40),
      }),
    )
    .max(20),
  categories: listOf(name),
  labels: entityLabels,
  deviceInfoKeys: fieldNames,
  sourceInfoKeys: fieldNames,
  /** `device`: each device by its own clock. */
  'dailyEnergy.timezone': z.union([z.literal('device'), timezone]),
  defaultPage: page,
  deviceGroupDefaultPages: z.record(z.string().max(200), page),
  /** Sessions of members end after so many minutes without a sign of life. */
  inactivityMinutes: z.number().int().min(IDLE_MINUTES.min).max(IDLE_MINUTES.max),
  meterSites: onOrOff,
  perfRatio: onOrOff,
  photos: photosSetting,
  /** Events of tables without a retention of their own are deleted when they are older, days; null keeps them. */
  retention: z.object({ days: z.number().int().min(1).max(36_500).nullable() }),
} as const satisfies Record<string, z.ZodType>;

/** Settings that delete data: each is set by a call of its own, which asks for more. */
export const GUARDED_SETTINGS: Readonly<Record<string, string>> = {
  retention: 'PUT /storage/{wg}/retention',
};

export type WorkgroupSettingKey = keyof typeof WORKGROUP_SETTINGS;

export const isWorkgroupSetting = (key: string): key is WorkgroupSettingKey =>
  Object.hasOwn(WORKGROUP_SETTINGS, key);
