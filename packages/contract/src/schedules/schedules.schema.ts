import { z } from 'zod';
import { onDevice } from '../devices/devices.schema.ts';
import { generalIssues, issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { schedulesIssues } from './schedules.errors.ts';
import {
  FOLLOW_RESULTS,
  isSetpointPath,
  kindOfPath,
  SCHEDULE_LIMITS,
  SCHEDULE_STATES,
  SCHEDULE_STEPS,
  TRIAL_MINUTES,
  VERSION_OUTCOMES,
} from './schedules.names.ts';
import { keptSetpoint, SETPOINT_KINDS, SetpointFault } from './setpoints.ts';

const ownIssue = issuesOf({ ...generalIssues, ...schedulesIssues });

const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(...ONE_LINE);
const name = line(120).min(1, 'Required');
const description = z.string().trim().max(4000);
const reason = z.string().trim().min(1, 'Required').max(500);

/** `<provider>/<kind>`: where a setpoint is on its device. */
export const setpointPath = z.string().superRefine((path, context) => {
  if (!isSetpointPath(path))
    context.addIssue(ownIssue([], 'issue.setpoint_path', { path: path.slice(0, 120) }));
});

/** An instant with its zone, kept in UTC. */
const datetime = z.iso
  .datetime({ offset: true, error: 'Enter a date with a time, such as 2026-11-21T14:00:00Z.' })
  .transform((given) => new Date(given).toISOString());

/**
 * From `datetime` on `value` holds, until the next entry of the same path; nothing holds before the first. An empty value
 * ends what holds.
 */
export const scheduleEntry = z.object({
  path: z.string(),
  /** UTC. */
  datetime: z.string(),
  /** As `parseSetpoint` reads it; empty where nothing holds from then on. */
  value: z.string(),
});
export type ScheduleEntry = z.infer<typeof scheduleEntry>;

const givenEntry = z.object({
  path: setpointPath,
  datetime,
  value: z.union([z.string().max(60), z.number()]),
});

type GivenEntry = z.output<typeof givenEntry>;

/** Entries of each path rise strictly; values are kept in the words of `keptSetpoint`. */
function keptEntries(
  entries: GivenEntry[],
  context: z.RefinementCtx,
  before: string[] = [],
): ScheduleEntry[] {
  const last = new Map<string, string>();
  return entries.map(({ path, datetime, value }, at) => {
    const earlier = last.get(path);
    const when = [...before, at, 'datetime'];
    last.set(path, datetime);
    if (earlier === datetime) context.addIssue(ownIssue(when, 'issue.entry_twice', { datetime }));
    if (earlier !== undefined && datetime < earlier)
      context.addIssue(ownIssue(when, 'issue.entry_order', { datetime, before: earlier }));
    try {
      return { path, datetime, value: keptSetpoint(kindOfPath(path), value) };
    } catch (error) {
      if (!(error instanceof SetpointFault)) throw error;
      context.addIssue(ownIssue([...before, at, 'value'], error.issue, error.facts));
      return { path, datetime, value: '' };
    }
  });
}

const sharedEntries = z
  .array(givenEntry)
  .max(SCHEDULE_LIMITS.entries)
  .transform((entries, context) => keptEntries(entries, context));

/** Of a device schedule: `path` may be left out, and is that of `setpoint`. */
const ownEntries = z.array(givenEntry.extend({ path: setpointPath.optional() })).max(SCHEDULE_LIMITS.entries);

interface WithEntries {
  setpoint: string;
  entries: z.output<typeof ownEntries>;
  until: string | null;
}

function inOrder<T extends WithEntries>(
  given: T,
  context: z.RefinementCtx,
): Omit<T, 'entries'> & { entries: ScheduleEntry[] } {
  const { setpoint, until } = given;
  const withPaths = given.entries.map(({ path = setpoint, ...entry }) => ({ ...entry, path }));
  const entries = keptEntries(withPaths, context, ['entries']);
  for (const [at, { path }] of entries.entries())
    if (path !== setpoint)
      context.addIssue(ownIssue(['entries', at, 'path'], 'issue.entry_path', { path, setpoint }));
  const last = entries.at(-1)?.datetime;
  if (until !== null && last !== undefined && until <= last)
    context.addIssue(ownIssue(['until'], 'issue.until_first', { last }));
  return { ...given, entries };
}

// ---- shared schedules ----

/** A plan that is handed to devices; each then has a draft of its own. */
export const schedule = z.object({
  _id: z.uuid(),
  name: z.string(),
  description: z.string(),
  entries: z.array(scheduleEntry),
  /** Devices that have a schedule made of this one, of those that the caller may see. */
  devices: z.array(z.uuid()),
  author: z.string(),
  /** Epoch ms. */
  changedAt: z.number(),
});
export type Schedule = z.infer<typeof schedule>;

export const newSchedule = z.object({ name, description: description.default(''), entries: sharedEntries });
export const someDevices = z.object({ devices: z.array(z.uuid()).min(1).max(SCHEDULE_LIMITS.devices) });
export const onSchedule = inWorkgroup.extend({ schedule: z.uuid() });

/** What became of handing a shared schedule to devices: drafts, and paths that a device does not have. */
export const handedOut = z.object({
  drafts: z.array(z.lazy(() => deviceSchedule)),
  absent: z.array(z.object({ deviceId: z.uuid(), paths: z.array(z.string()) })),
});

// ---- setpoints of devices ----

/**
 * What schedules of a setpoint have to keep to; null does not bind. Of active power in % of the rating, of cos phi as its
 * distance from 1 (0 to 0.2), of reactive power in % of its base.
 */
export const setpointBounds = z.object({
  least: z.number().min(-100).max(100).nullable().default(null),
  most: z.number().min(-100).max(100).nullable().default(null),
  /** Between one entry and the next. */
  step: z.number().positive().max(200).nullable().default(null),
  /** A minute, from entry to entry. */
  rampPerMinute: z.number().positive().max(1000).nullable().default(null),
  /** An entry holds so long at least. */
  dwellMinutes: z.number().int().min(0).max(1440).nullable().default(null),
  /** Changes a day, of an inverter whose register wears. */
  persistentWritesADay: z.number().int().min(1).max(10_000).nullable().default(null),
  /** What an inverter has to do by itself when nobody renews its setpoint; null: whatever it can. */
  whenLost: z.enum(['release', 'hold', 'value']).nullable().default(null),
});
export type SetpointBounds = z.infer<typeof setpointBounds>;

export const deviceSetpoint = z.object({
  deviceId: z.uuid(),
  path: z.string(),
  kind: z.enum(SETPOINT_KINDS),
  provider: z.string(),
  /** `schedule` takes schedules; `fixed` stands in the configuration of the plugin. */
  type: z.enum(['fixed', 'schedule']),
  /** What is off is recorded, and not obeyed. */
  isEnabled: z.boolean(),
  /** What it says now; null for nothing. */
  value: z.string().nullable(),
  /** Why the device does not obey its file; null where it does. */
  fault: z.string().nullable(),
  currentDeviceSchedule: z.uuid().nullable(),
  pendingDeviceSchedule: z.uuid().nullable(),
  bounds: setpointBounds,
  /** Epoch ms, when the device last said so. */
  discoveredAt: z.number(),
});
export type DeviceSetpoint = z.infer<typeof deviceSetpoint>;

/** What one inverter made of a setpoint, as its device last said. */
export const inverterFollows = z.object({
  name: z.string().max(120),
  /** Names of the registers, such as WMaxLimPct. */
  register: z.string().max(200),
  wanted: z.string().max(60).nullable(),
  readBack: z.string().max(60).nullable(),
  /** Measured, W. */
  powerW: z.number().nullable(),
  result: z.enum(FOLLOW_RESULTS),
  /** Why it is not followed, or cannot be told. */
  why: z.string().max(500),
  /** Another controller wrote over it. */
  isForeign: z.boolean(),
  /** Epoch ms. */
  at: z.number(),
});
export type InverterFollows = z.infer<typeof inverterFollows>;

// ---- schedules of devices ----

export const deviceSchedule = z.object({
  _id: z.uuid(),
  deviceId: z.uuid(),
  setpoint: z.string(),
  /** Shared schedule that it was made of. */
  schedule: z.uuid().nullable(),
  entries: z.array(scheduleEntry),
  name: z.string(),
  description: z.string(),
  /** UTC, when nothing holds any more; null: until it is replaced or released. */
  until: z.string().nullable(),
  /** `override`: set by hand, and only while the cloud renews its lease. `found`: it was on the device before us. */
  origin: z.enum(['schedule', 'override', 'found']),
  state: z.enum(SCHEDULE_STATES),
  step: z.enum(SCHEDULE_STEPS).nullable(),
  /** What a pending one waits for: to hold, or, where it holds, to end; null where nothing is asked for. */
  asks: z.enum(['apply', 'override', 'release']).nullable(),
  askedBy: z.string().nullable(),
  /** Why it is a draft again, or what it waits for; null where there is nothing to say. */
  reason: z.string().nullable(),
  /** Of what was last sent; null before. */
  version: z.number().int().nullable(),
  author: z.string().nullable(),
  /** All who changed it since it was last applied, and its author: none of them may approve it. */
  editors: z.array(z.string()),
  approver: z.string().nullable(),
  /** Epoch ms, as the next ones. */
  changedAt: z.number(),
  /** Until then somebody can approve what waits for it. */
  approvableUntil: z.number().nullable(),
  /** Until then somebody has to confirm a trial. */
  trialUntil: z.number().nullable(),
  appliedAt: z.number().nullable(),
  /** What each inverter made of it, while it is pending or applied. */
  inverters: z.array(inverterFollows),
});
export type DeviceSchedule = z.infer<typeof deviceSchedule>;

const written = z.object({
  setpoint: setpointPath,
  name: name.optional(),
  description: description.default(''),
  entries: ownEntries,
  until: datetime.nullable().default(null),
});

/** How something is applied: for good or as a trial, and what a lone owner gives instead of a second person. */
const applying = {
  trialMinutes: z.literal(TRIAL_MINUTES).nullable().default(null),
  reason: reason.optional(),
  /** `LONE_PHRASE`. */
  phrase: z.string().max(60).optional(),
};
export const applyDeviceSchedule = z.object(applying);

export const newDeviceSchedule = written
  .extend({ apply: z.boolean().default(false), ...applying })
  .transform(inOrder);
export const changedDeviceSchedule = written
  .extend({
    /** `changedAt` of what was edited; 409 where it is another one by now. */
    over: z.number().optional(),
    apply: z.boolean().default(false),
    ...applying,
  })
  .transform(inOrder);
export const rehearsedSchedule = written
  .pick({ setpoint: true, entries: true, until: true })
  .transform(inOrder);

/** A value from now on, by hand. */
export const override = z.object({
  setpoint: setpointPath,
  value: z.union([z.string().min(1, 'Required').max(60), z.number()]),
  /** Ends by itself then; the lease is renewed until it. */
  until: datetime,
  reason,
  phrase: z.string().max(60).optional(),
});

/** Ends what holds on a setpoint; inverters get back what they had before. */
export const release = z.object({ setpoint: setpointPath, reason, phrase: z.string().max(60).optional() });

/** `over` is the `changedAt` of what the second person saw, which an approval has to name; 409 where it is another one by now. */
export const scheduleDecision = z
  .object({
    decision: z.enum(['approved', 'refused']),
    reason: z.string().trim().max(500).default(''),
    over: z.number().optional(),
  })
  .superRefine(({ decision, over }, context) => {
    if (decision === 'approved' && over === undefined) context.addIssue(ownIssue(['over'], 'issue.required'));
  });

export const boundsChange = z.object({ setpoint: setpointPath, bounds: setpointBounds });

export const onDeviceSchedule = onDevice.extend({ deviceSchedule: z.uuid() });
export const setpointQuestion = z.object({ setpoint: setpointPath });
export const deviceQuestion = z.object({ device: z.uuid().optional() });

/** One version that was sent to a device, or was meant to be. */
export const scheduleVersion = z.object({
  deviceScheduleId: z.uuid(),
  deviceId: z.uuid(),
  setpoint: z.string(),
  /** Rises with each order to this setpoint. */
  version: z.number().int(),
  name: z.string(),
  origin: z.enum(['schedule', 'override', 'found', 'release']),
  entries: z.array(scheduleEntry),
  until: z.string().nullable(),
  author: z.string().nullable(),
  approver: z.string().nullable(),
  reason: z.string().nullable(),
  outcome: z.enum(VERSION_OUTCOMES),
  /** Why it ended so. */
  why: z.string().nullable(),
  /** Epoch ms. */
  sentAt: z.number(),
  endedAt: z.number().nullable(),
});
export type ScheduleVersion = z.infer<typeof scheduleVersion>;

// ---- rehearsal ----

const inverterEntry = z.object({
  name: z.string().max(120),
  /** As `WMaxLimPct 6000 (SF -2), WMaxLim_Ena 1`. */
  register: z.string().max(300),
  /** Most that the inverter may then make, kW; null where that is not what it limits. */
  kw: z.number().nullable(),
});

/** What a device says of a schedule that it does not obey yet; nothing is written. */
export const rehearsalOnDevice = z.object({
  entries: z
    .array(z.object({ datetime: z.string(), value: z.string(), inverters: z.array(inverterEntry).max(500) }))
    .max(SCHEDULE_LIMITS.rehearsed),
  inverters: z
    .array(
      z.object({
        name: z.string().max(120),
        isReached: z.boolean(),
        /** SunSpec model that is written. */
        model: z.number().int().nullable(),
        ratedKw: z.number().nullable(),
        /** Found without writing. */
        mayWrite: z.enum(['yes', 'no', 'unknown']),
        why: z.string().max(500),
        /** What it does by itself when nobody renews its setpoint, after `timerS`. */
        whenLost: z.enum(['release', 'hold', 'value']),
        fallback: z.string().max(60).nullable(),
        timerS: z.number().nullable(),
        /** Registers of this kind wear. */
        isPersistent: z.boolean(),
        persistentWritesToday: z.number().int(),
      }),
    )
    .max(500),
});
export type RehearsalOnDevice = z.infer<typeof rehearsalOnDevice>;

export const rehearsal = rehearsalOnDevice.omit({ entries: true }).extend({
  /** Of the site; entries are shown in it beside UTC. */
  zone: z.string(),
  entries: z.array(
    z.object({
      datetime: z.string(),
      /** Wall time of the site with its offset. */
      siteTime: z.string(),
      value: z.string(),
      inverters: z.array(inverterEntry),
    }),
  ),
  /** Of all, also those that are not told one by one. */
  entryCount: z.number().int(),
  /** What the last days say would be lost; null with the reason. */
  curtailedKwh: z.number().nullable(),
  curtailedWhy: z.string().nullable(),
  /** What stands against it, each with the part that it is about. */
  problems: z.array(
    z.object({
      part: z.string(),
      /** As in the catalogue of issues. */
      issue: z.string(),
      facts: z.record(z.string(), z.string()),
      message: z.string(),
      /** It keeps it from being applied; the others are only said. */
      blocks: z.boolean(),
    }),
  ),
  /** All that it does is stop or limit to 0, which takes one person. */
  isStop: z.boolean(),
  needs: z.enum(['nobody', 'secondPerson', 'loneOwner']),
});
export type Rehearsal = z.infer<typeof rehearsal>;

/** Who has to agree before a setpoint reaches a device. */
export const controlPolicy = z.object({
  /** `auto`: two people as soon as two hold the permission to control devices. */
  twoPeople: z.enum(['auto', 'always', 'never']),
  /** Members who hold it, of the workgroup as a whole. */
  holders: z.number().int(),
  needs: z.enum(['nobody', 'secondPerson', 'loneOwner']),
  changedBy: z.string().nullable(),
  changedAt: z.number().nullable(),
});
export type ControlPolicy = z.infer<typeof controlPolicy>;
export const controlPolicyChange = z.object({ twoPeople: z.enum(['auto', 'always', 'never']) });
