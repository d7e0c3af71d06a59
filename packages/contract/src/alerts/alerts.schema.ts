import { z } from 'zod';
import { entityId } from '../entities/entities.schema.ts';
import { generalIssues, issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { email } from '../sessions/sessions.schema.ts';
import { AGGREGATIONS, type SearchFilter, searchQuery } from '../telemetry/search.schema.ts';
import { telemetryIssues } from '../telemetry/telemetry.errors.ts';
import { tableName } from '../telemetry/telemetry.schema.ts';
import { isTimeZone } from '../time/zoned-time.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { alertsIssues } from './alerts.errors.ts';

const ownIssue = issuesOf({ ...generalIssues, ...telemetryIssues, ...alertsIssues });

/** What a workgroup, a rule and a test on history may hold. */
export const ALERT_LIMITS = {
  alerts: 1000,
  suppressions: 200,
  /** Devices, sources or entities that a scope names. */
  scope: 1000,
  recipients: 50,
  /** Days that a test on history covers. */
  testDays: 366,
} as const;

/**
 * What makes an incident.
 *
 * `offline`: the agent is away without a break. `query`: conditions hold, for each source. `absent`: a source stopped
 * though the agent is there. `event`: a row arrives. `deviation`: a source is below its peers of the same device and
 * table. `stuck`: a field does not change. `network`: a scan of the security services found something new. `finding`: what
 * the product itself finds of a plant. `control`: inverters do not follow a setpoint, or somebody else writes to them. Source: specification 2, section 3; domain/cloud.md section 13.
 */
export const ALERT_KINDS = [
  'offline',
  'query',
  'absent',
  'event',
  'deviation',
  'stuck',
  'network',
  'finding',
  'control',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** What the product finds of a plant by itself, as the plant's page tells it. */
export const FINDING_KINDS = ['below', 'standing', 'fault', 'silent'] as const;

/** What becomes of setpoints. */
export const CONTROL_FINDINGS = ['notFollowed', 'foreignWrite'] as const;
const FINDINGS = [...FINDING_KINDS, ...CONTROL_FINDINGS] as const;

/** Functions over the last minutes of one field. */
export const ALERT_FUNCTIONS = AGGREGATIONS.filter((one) => one !== 'latest' && one !== 'percentiles');

const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(...ONE_LINE);
const text = z.string().trim().max(4000).default('');
const minutes = (max: number) => z.number().int().min(0).max(max);
const WEEK_MINUTES = 7 * 24 * 60;

const zone = z
  .string()
  .min(1, 'Required')
  .max(80)
  .superRefine((given, context) => {
    if (!isTimeZone(given)) context.addIssue(ownIssue([], 'issue.zone_unknown', { zone: given }));
  });

const clock = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, generalIssues['issue.date']);

/** As it is shown: members of a device group read what they may know of it, which can be nothing. */
const shownScope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('all') }),
  z.object({ kind: z.literal('devices'), devices: z.array(z.string()) }),
  z.object({
    kind: z.literal('sources'),
    sources: z.array(z.object({ device: z.string(), source: z.string() })),
  }),
  z.object({ kind: z.literal('label'), label: z.string() }),
  z.object({ kind: z.literal('entities'), entities: z.array(z.string()) }),
]);

/** What an alert, or a planned suppression, is about. */
export const alertScope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('all') }),
  z.strictObject({ kind: z.literal('devices'), devices: z.array(z.uuid()).min(1).max(ALERT_LIMITS.scope) }),
  z.strictObject({
    kind: z.literal('sources'),
    sources: z
      .array(z.strictObject({ device: z.uuid(), source: z.string().min(1).max(400) }))
      .min(1)
      .max(ALERT_LIMITS.scope),
  }),
  /** Sources and entities that have the label, and all below such an entity. */
  z.strictObject({ kind: z.literal('label'), label: z.string().min(1).max(200) }),
  z.strictObject({ kind: z.literal('entities'), entities: z.array(entityId).min(1).max(ALERT_LIMITS.scope) }),
]);
export type AlertScope = z.output<typeof alertScope>;

/** When an alert counts. Outside of it nothing new begins, and what stands stays. */
export const alertWindow = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('always') }),
  /** Sunrise to sunset where the device is; of a device without a place always. */
  z.strictObject({ kind: z.literal('sun') }),
  /** Weekdays (1 is Monday) with a beginning and an end by the clock of the zone; an end before the beginning is on the next day. */
  z.strictObject({
    kind: z.literal('weekly'),
    zone,
    days: z.array(z.number().int().min(1).max(7)).min(1).max(7),
    from: clock,
    to: clock,
  }),
]);
export type AlertWindow = z.output<typeof alertWindow>;

/** A function of one field over the last minutes, held against a limit. */
export const alertAggregate = z.strictObject({
  function: z.enum(ALERT_FUNCTIONS),
  field: z.string().min(1).max(200),
  overMinutes: z.number().int().min(1).max(1440),
  operator: z.enum(['>', '>=', '<', '<=', '=', '!=']),
  value: z.number(),
});
export type AlertAggregate = z.output<typeof alertAggregate>;

/** Who hears of it. `repeatHours`: again as long as nobody acknowledges it; null is once. */
export const alertNotify = z.strictObject({
  users: z.array(z.uuid()).max(ALERT_LIMITS.recipients).default([]),
  emails: z.array(email).max(ALERT_LIMITS.recipients).default([]),
  channels: z.array(z.uuid()).max(ALERT_LIMITS.recipients).default([]),
  escalation: z.uuid().nullable().default(null),
  onResolve: z.boolean().default(true),
  repeatHours: z.number().min(0.25).max(168).nullable().default(null),
});
export type AlertNotify = z.output<typeof alertNotify>;

const alertParts = z.strictObject({
  name: line(120).min(1, 'Required'),
  kind: z.enum(ALERT_KINDS),
  enabled: z.boolean().default(true),
  /** Id of a severity of the workgroup. */
  severity: z.string().min(1).max(40).default('medium'),
  category: line(80).nullable().default(null),
  scope: alertScope.default({ kind: 'all' }),
  /** Of `query`, `absent`, `event`, `deviation` and `stuck`. */
  table: tableName.nullable().default(null),
  /** As a search takes them; of `query` and `event`. */
  conditions: searchQuery.shape.filters,
  operator: z.enum(['AND', 'OR']).default('AND'),
  /** Of `query`: in place of conditions on single rows, or over those rows that meet them. */
  aggregate: alertAggregate.nullable().default(null),
  /** Of `stuck` and `deviation`. */
  field: z.string().min(1).max(200).nullable().default(null),
  /** Of `deviation`: fires below this part of the median of the peers, %. */
  percent: z.number().min(1).max(99).nullable().default(null),
  /** Of `finding` and `control`: which ones. */
  findings: z.array(z.enum(FINDINGS)).max(FINDINGS.length).default([]),
  /** So long without a break before it fires. */
  forMinutes: minutes(WEEK_MINUTES).default(0),
  /** What has to hold before it is clear; none is: what fired it no longer holds. */
  clearConditions: searchQuery.shape.filters,
  /** So long clear before it has returned; of `event`: so long without another one. */
  clearMinutes: minutes(WEEK_MINUTES).default(0),
  /** How late values may come: it is judged so long after their time. */
  delaySeconds: z.number().int().min(0).max(3600).default(0),
  window: alertWindow.default({ kind: 'always' }),
  /** Stays until somebody acknowledges it, though what fired it is over. */
  latched: z.boolean().default(false),
  cause: text,
  consequence: text,
  response: text,
  notify: alertNotify.prefault({}),
});

/** Parts that a kind cannot do without, and parts that it has no use for. */
const NEEDS: Readonly<Record<AlertKind, readonly ('table' | 'field' | 'percent' | 'findings')[]>> = {
  offline: [],
  query: ['table'],
  absent: ['table'],
  event: ['table'],
  deviation: ['table', 'field', 'percent'],
  stuck: ['table', 'field'],
  network: [],
  finding: ['findings'],
  control: ['findings'],
};

/** An alert as it is written. */
export const newAlert = alertParts.superRefine((alert, context) => {
  const { kind } = alert;
  const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  for (const part of ['table', 'field', 'percent', 'findings'] as const) {
    if (NEEDS[kind].includes(part) && isEmpty(alert[part]))
      context.addIssue(ownIssue([part], 'issue.alert_part_missing', { kind }));
    if (!NEEDS[kind].includes(part) && !isEmpty(alert[part]))
      context.addIssue(ownIssue([part], 'issue.alert_part_idle', { kind }));
  }
  const choices: readonly string[] = kind === 'control' ? CONTROL_FINDINGS : FINDING_KINDS;
  if (alert.findings.some((one) => !choices.includes(one)))
    context.addIssue(ownIssue(['findings'], 'issue.choice', { choices: choices.join(', ') }));
  const takesConditions = kind === 'query' || kind === 'event';
  for (const part of ['conditions', 'clearConditions'] as const)
    if (!takesConditions && alert[part].length > 0)
      context.addIssue(ownIssue([part], 'issue.alert_part_idle', { kind }));
  if (kind !== 'query' && alert.aggregate)
    context.addIssue(ownIssue(['aggregate'], 'issue.alert_part_idle', { kind }));
  if (kind === 'query' && alert.conditions.length === 0 && !alert.aggregate)
    context.addIssue(ownIssue(['conditions'], 'issue.alert_part_missing', { kind }));
  if (kind === 'stuck' && alert.forMinutes === 0)
    context.addIssue(ownIssue(['forMinutes'], 'issue.alert_part_missing', { kind }));
  const never = contradictionIn(alert.operator, alert.conditions);
  if (never) context.addIssue(ownIssue(['conditions'], 'issue.alert_never', { why: never }));
  const { window } = alert;
  const why = window.kind === 'weekly' && window.from === window.to ? `${window.from} to ${window.to}` : null;
  if (why !== null) context.addIssue(ownIssue(['window', 'to'], 'issue.alert_never', { why }));
});
export type NewAlert = z.output<typeof newAlert>;

/**
 * Two limits of one field that exclude each other, as `power > 5 and power < 3`; null where none do. Only plain numbers
 * joined by AND are looked at: everything else may be true.
 */
function contradictionIn(operator: 'AND' | 'OR', conditions: readonly SearchFilter[]): string | null {
  if (operator === 'OR') return null;
  const ranges = new Map<string, { low: number; high: number; isOpen: boolean }>();
  for (const one of conditions) {
    if ('filters' in one || typeof one.value !== 'number') continue;
    const range = ranges.get(one.field) ?? {
      low: Number.NEGATIVE_INFINITY,
      high: Number.POSITIVE_INFINITY,
      isOpen: false,
    };
    const { operator: sign, value } = one;
    if ((sign === '>' || sign === '>=' || sign === '=') && value >= range.low)
      range.isOpen = sign === '>' || (value === range.low && range.isOpen);
    if (sign === '>' || sign === '>=' || sign === '=') range.low = Math.max(range.low, value);
    if (sign === '<' || sign === '<=' || sign === '=') range.high = Math.min(range.high, value);
    if (sign === '<' && value <= range.high) range.isOpen = true;
    ranges.set(one.field, range);
    if (range.low > range.high || (range.low === range.high && range.isOpen))
      return `${one.field} ${sign} ${value}`;
  }
  return null;
}

export const alert = alertParts.extend({
  _id: z.uuid(),
  /** Counts the saves. */
  version: z.number().int(),
  updatedAt: z.number(),
  /** Came with the product; null for one that somebody made. */
  shipped: z.string().nullable(),
  scope: shownScope,
  conditions: z.array(z.looseObject({})),
  clearConditions: z.array(z.looseObject({})),
  /** Open incidents of it that the caller sees. */
  open: z.number().int(),
});
export type Alert = z.infer<typeof alert>;

export const onAlert = inWorkgroup.extend({ alert: z.uuid() });

/** A planned time in which alerts of a scope stay silent; by design, or since something is out of service. */
export const newSuppression = z
  .strictObject({
    name: line(120).min(1, 'Required'),
    kind: z.enum(['design', 'outOfService']).default('design'),
    enabled: z.boolean().default(true),
    reason: line(400).min(1, 'Required'),
    scope: alertScope.default({ kind: 'all' }),
    /** None: all alerts. */
    alerts: z.array(z.uuid()).max(ALERT_LIMITS.scope).default([]),
    zone,
    /** By the clock of the zone; the first time. */
    startsAt: z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, generalIssues['issue.date']),
    /** Null: until somebody ends it, of `outOfService` only. */
    durationMinutes: z
      .number()
      .int()
      .min(1)
      .max(366 * 24 * 60)
      .nullable(),
    /** Repetition of RFC 5545 without DTSTART; null: once. */
    rrule: z.string().trim().min(1).max(500).nullable().default(null),
  })
  .superRefine((given, context) => {
    if (given.durationMinutes === null && (given.kind !== 'outOfService' || given.rrule !== null))
      context.addIssue(ownIssue(['durationMinutes'], 'issue.required'));
  });
export type NewSuppression = z.output<typeof newSuppression>;

export const suppression = newSuppression.safeExtend({
  scope: shownScope,
  _id: z.uuid(),
  createdBy: z.string(),
  /** Whether it holds now, and when it begins next, epoch ms; null where it does not come again. */
  isActive: z.boolean(),
  nextAt: z.number().nullable(),
});
export type Suppression = z.infer<typeof suppression>;

export const onSuppression = inWorkgroup.extend({ suppression: z.uuid() });

/** An alert that is tried on what is stored; with `against`, beside one that stands. */
export const alertTest = z
  .strictObject({
    alert: newAlert,
    from: z.number().int(),
    to: z.number().int(),
    against: z.uuid().nullable().default(null),
  })
  .superRefine(({ from, to }, context) => {
    if (to <= from) context.addIssue(ownIssue(['to'], 'issue.end_first'));
    else if (to - from > ALERT_LIMITS.testDays * 86_400_000)
      context.addIssue(ownIssue(['from'], 'issue.too_large', { max: `${ALERT_LIMITS.testDays} d` }));
  });

const replay = z.object({
  /** Incidents that there would have been, by their beginning; at most 1,000 of them are told. */
  firings: z.array(
    z.object({
      device: z.uuid(),
      deviceName: z.string(),
      source: z.string().nullable(),
      from: z.number(),
      /** Null: still open at the end. */
      to: z.number().nullable(),
      count: z.number().int(),
      value: z.union([z.number(), z.string()]).nullable(),
    }),
  ),
  total: z.number().int(),
  /** A day, and the most in any ten minutes. */
  perDay: z.number(),
  mostIn10Minutes: z.number().int(),
  /** Messages to one person. */
  messages: z.number().int(),
});

export const alertTestResult = z.object({
  from: z.number(),
  to: z.number(),
  /** Rows that were looked at, and how often an aggregate was judged, ms; null without one. */
  rows: z.number().int(),
  stepMs: z.number().nullable(),
  result: replay,
  against: replay.nullable(),
});
export type AlertTestResult = z.infer<typeof alertTestResult>;
