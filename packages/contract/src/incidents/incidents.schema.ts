import { z } from 'zod';
import { ALERT_KINDS } from '../alerts/alerts.schema.ts';
import { BULK_MAX } from '../http/bulk.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { inWorkgroup, workgroupName } from '../workgroups/workgroups.schema.ts';

/** Shelving lasts at most so long. Source: ISA-18.2 asks for a limit; issue. */
export const SHELF_DAYS = 7;

/**
 * States of ISA-18.2. `returned`: over, and nobody acknowledged it. `latched`: over, and stays until somebody does.
 * `shelved`: silenced by a person until an end. `suppressed`: silenced by design, by a plan or by its cause. What was
 * suppressed or out of service begins as unacknowledged again.
 */
export const INCIDENT_STATES = [
  'unacknowledged',
  'acknowledged',
  'returned',
  'latched',
  'shelved',
  'suppressed',
  'outOfService',
  'closed',
] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

/** Whether what fired it holds; `unknown`: its series is gone for now; `failed`: it cannot be judged. */
export const INCIDENT_CONDITIONS = ['active', 'clear', 'unknown', 'failed'] as const;
export type IncidentCondition = (typeof INCIDENT_CONDITIONS)[number];

export const CLOSE_REASONS = [
  'cleared',
  'acknowledged',
  'ruleChanged',
  'ruleDeleted',
  'ruleDisabled',
  'deviceGone',
] as const;
export type CloseReason = (typeof CLOSE_REASONS)[number];

/** What is lost while it stands. `basis`: what the expected energy is taken from. */
export const energyAtRisk = z.object({
  energyWh: z.number(),
  /** Of the last hour, Wh a day: how fast it grows; null where it stands still. */
  powerW: z.number().nullable(),
  basis: z.enum(['irradiance', 'peers', 'lastWeek']),
  /** At the price that was valid; null without one. */
  money: z.object({ value: z.number(), currency: z.string() }).nullable(),
  at: z.number(),
});
export type EnergyAtRisk = z.infer<typeof energyAtRisk>;

/** What was read when it fired, and what it was held against. */
export const incidentReading = z.object({
  field: z.string().nullable(),
  value: z.union([z.number(), z.string()]).nullable(),
  units: z.string().nullable(),
  /** The limit, the median of the peers, the minutes. */
  limit: z.union([z.number(), z.string()]).nullable(),
});

export const incident = z.object({
  _id: z.uuid(),
  workgroupId: workgroupName,
  /** When it fired, epoch ms. */
  createdAt: z.number(),
  /** Ids of the users who acknowledged it. */
  acknowledged: z.array(z.string()),
  alert: z.uuid(),
  /** Name of the alert. */
  name: z.string(),
  kind: z.enum(ALERT_KINDS),
  /** Of `finding` and `control`: which one. */
  finding: z.string().nullable(),
  /** Id, name and color of the severity as the workgroup has it now; `rank` 0 is the gravest. */
  severity: z.object({ id: z.string(), name: z.string(), color: z.string(), rank: z.number().int() }),
  category: z.string().nullable(),
  device: z.uuid().nullable(),
  deviceName: z.string().nullable(),
  table: z.string().nullable(),
  source: z.string().nullable(),
  /** The one name of what it is about: that of the entity of the source, else of the source, else of the device. */
  subject: z.string(),
  state: z.enum(INCIDENT_STATES),
  condition: z.enum(INCIDENT_CONDITIONS),
  /** Since when what fired it holds, epoch ms. */
  since: z.number(),
  /** Of the last transition. */
  changedAt: z.number(),
  clearedAt: z.number().nullable(),
  closedAt: z.number().nullable(),
  closeReason: z.enum(CLOSE_REASONS).nullable(),
  acknowledgedAt: z.number().nullable(),
  /** Names of those who acknowledged it, in that order. */
  acknowledgedBy: z.array(z.string()),
  shelvedUntil: z.number().nullable(),
  shelvedReason: z.string().nullable(),
  /** How often it came and went within one. */
  count: z.number().int(),
  /** The incident that is its cause; told there, and silent itself. */
  causedBy: z.uuid().nullable(),
  /** Open ones that it is the cause of and that the caller sees. */
  consequences: z.number().int(),
  reading: incidentReading,
  energy: energyAtRisk.nullable(),
});
export type Incident = z.infer<typeof incident>;

/** One step of the life of an incident; each is a row of `incidents_log` as well. */
export const incidentTransition = z.object({
  at: z.number(),
  action: z.enum([
    'opened',
    'reopened',
    'returned',
    'unknown',
    'known',
    'failed',
    'acknowledged',
    'shelved',
    'unshelved',
    'suppressed',
    'unsuppressed',
    'closed',
    'note',
    'late',
    'delivered',
    'undelivered',
    'escalated',
  ]),
  by: z.string().nullable(),
  value: z.union([z.number(), z.string()]).nullable(),
  /** What was written, a reason, or whom a message went to. */
  text: z.string().nullable(),
});
export type IncidentTransition = z.infer<typeof incidentTransition>;

export const incidentDetail = incident.extend({
  cause: z.string(),
  consequence: z.string(),
  response: z.string(),
  /** Oldest first. */
  timeline: z.array(incidentTransition),
  /** The stream to draw 15 minutes either side; null where it has none. */
  signal: z.object({ device: z.uuid(), table: z.string(), source: z.string(), field: z.string() }).nullable(),
});
export type IncidentDetail = z.infer<typeof incidentDetail>;

/** Epoch ms, up to the end of the year 9999. */
const instant = z.coerce.number().int().min(0).max(253_402_300_799_000);

export const incidentHistory = z.object({
  from: instant,
  to: instant,
  alert: z.uuid().optional(),
  device: z.uuid().optional(),
  rows: z.coerce.number().int().min(1).max(5000).default(500),
});

export const onIncident = inWorkgroup.extend({ incident: z.uuid() });

export const shelf = z.strictObject({
  reason: z
    .string()
    .trim()
    .min(1, 'Required')
    .max(400)
    .regex(...ONE_LINE),
  /** Epoch ms. */
  until: z.number().int(),
});

export const someIncidents = z.strictObject({
  ids: z
    .array(z.uuid())
    .min(1)
    .max(BULK_MAX * 20),
});

/** Load of an operator against EEMUA 191 and ISA-18.2; a metric is `isMet` where it keeps to its limit. */
export const alarmLoad = z.object({
  from: z.number(),
  to: z.number(),
  /** Incidents that were announced. */
  total: z.number().int(),
  metrics: z.array(
    z.object({
      name: z.enum([
        'averagePer10Minutes',
        'mostIn10Minutes',
        'floodPercent',
        'standing',
        'topTenPercent',
        'stale',
        'chattering',
        'lowPercent',
        'mediumPercent',
        'highPercent',
      ]),
      value: z.number().nullable(),
      /** As the guideline says it, such as "at most 10". */
      limit: z.number().nullable(),
      isMet: z.boolean().nullable(),
    }),
  ),
  /** Ten minutes each with its number, of the times in which there was any. */
  course: z.array(z.object({ at: z.number(), count: z.number().int() })),
  badActors: z.array(
    z.object({
      alert: z.uuid(),
      name: z.string(),
      subject: z.string(),
      device: z.uuid().nullable(),
      count: z.number().int(),
      percent: z.number(),
      isChattering: z.boolean(),
      isStale: z.boolean(),
      /** What would lower it, with how many there would have been. */
      cure: z
        .object({
          change: z.enum(['forMinutes', 'clearMinutes']),
          minutes: z.number().int(),
          count: z.number().int(),
        })
        .nullable(),
    }),
  ),
});
export type AlarmLoad = z.infer<typeof alarmLoad>;
