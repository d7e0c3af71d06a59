import { z } from 'zod';
import { generalIssues, issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { email } from '../sessions/sessions.schema.ts';
import { telemetryIssues } from '../telemetry/telemetry.errors.ts';
import { isTimeZone } from '../time/zoned-time.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { notificationsIssues } from './notifications.errors.ts';

const ownIssue = issuesOf({ ...generalIssues, ...telemetryIssues, ...notificationsIssues });

/** What a workgroup, an escalation, a rota and a person may have. */
export const NOTIFY_LIMITS = {
  channels: 50,
  emails: 50,
  phones: 20,
  escalations: 50,
  steps: 10,
  /** Of a step. */
  recipients: 20,
  rotas: 50,
  rotaMembers: 30,
  overrides: 100,
  /** Browsers of one person. */
  browsers: 10,
} as const;

const name = z
  .string()
  .trim()
  .min(1, 'Required')
  .max(80)
  .regex(...ONE_LINE);

const zone = z
  .string()
  .min(1, 'Required')
  .max(80)
  .superRefine((given, context) => {
    if (!isTimeZone(given)) context.addIssue(ownIssue([], 'issue.zone_unknown', { zone: given }));
  });

/** A time of day, such as `08:30`. */
const clock = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, notificationsIssues['issue.clock']);
const weekdays = z.array(z.number().int().min(1).max(7)).min(1).max(7);

/**
 * What a webhook is told in. `json`: all that is known. `alertmanager`: version 4 of its webhook. `pagerduty`: Events API
 * version 2. `slack`, `teams`: a message for people. `sms`: a text and the numbers, as gateways take them.
 */
export const WEBHOOK_TEMPLATES = ['json', 'alertmanager', 'pagerduty', 'slack', 'teams', 'sms'] as const;
export type WebhookTemplate = (typeof WEBHOOK_TEMPLATES)[number];

const address = z
  .string()
  .trim()
  .max(2000)
  .regex(/^https?:\/\/[^\s/]+/i, notificationsIssues['issue.webhook_address']);
const phone = z.string().regex(/^\+[1-9]\d{5,14}$/, notificationsIssues['issue.phone']);

/**
 * A channel as it is written. The address of a webhook may hold a secret, so it is never read again, like its token: what
 * is left out stays as it is.
 */
export const newChannel = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('email'),
    name,
    enabled: z.boolean().default(true),
    emails: z.array(email).min(1).max(NOTIFY_LIMITS.emails),
  }),
  z.strictObject({
    kind: z.literal('webhook'),
    name,
    enabled: z.boolean().default(true),
    template: z.enum(WEBHOOK_TEMPLATES).default('json'),
    address: address.optional(),
    /** What the service asks for: the integration key of PagerDuty, else a bearer token. */
    token: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .regex(...ONE_LINE)
      .nullable()
      .optional(),
    /** Of `sms`. */
    phones: z.array(phone).max(NOTIFY_LIMITS.phones).default([]),
    /** Makes a new secret for the signature; the old one ends at once. */
    renewSecret: z.boolean().default(false),
  }),
]);
export type NewChannel = z.output<typeof newChannel>;

export const channel = z.object({
  _id: z.uuid(),
  name: z.string(),
  kind: z.enum(['email', 'webhook']),
  enabled: z.boolean(),
  emails: z.array(z.string()),
  template: z.enum(WEBHOOK_TEMPLATES).nullable(),
  /** The machine of the address. */
  host: z.string().nullable(),
  hasToken: z.boolean(),
  phones: z.array(z.string()),
  lastOkAt: z.number().nullable(),
  lastError: z.string().nullable(),
  /** Since when it takes nothing, epoch ms; null where it works. */
  failingSince: z.number().nullable(),
  /** Why we turned it off: it said that it is gone, or it failed for days. */
  offReason: z.enum(['gone', 'failed']).nullable(),
});
export type Channel = z.infer<typeof channel>;

/** With the secret of the signature, where it was just made: it is shown once. */
export const savedChannel = channel.extend({ secret: z.string().nullable() });
export type SavedChannel = z.infer<typeof savedChannel>;

export const channelTest = z.object({
  ok: z.boolean(),
  /** Of the answer; null where there was none, and for mails. */
  status: z.number().int().nullable(),
  error: z.string().nullable(),
});
export type ChannelTest = z.infer<typeof channelTest>;

/** What went to a webhook. */
export const delivery = z.object({
  id: z.uuid(),
  channel: z.string(),
  incident: z.uuid().nullable(),
  what: z.string(),
  createdAt: z.number(),
  state: z.enum(['waiting', 'delivered', 'dropped']),
  attempts: z.number().int(),
  error: z.string().nullable(),
  endedAt: z.number().nullable(),
});
export type Delivery = z.infer<typeof delivery>;

const HEARTBEAT_MINUTES = [1, 5, 15, 60] as const;
/** An address that is called every so many minutes, so that a watchdog outside knows that we are alive. */
export const newHeartbeat = z.strictObject({
  enabled: z.boolean(),
  everyMinutes: z.literal(HEARTBEAT_MINUTES).default(5),
  /** Left out, it stays as it is. */
  address: address.optional(),
});
export type NewHeartbeat = z.output<typeof newHeartbeat>;
export const heartbeat = z.object({
  enabled: z.boolean(),
  everyMinutes: z.number().int(),
  host: z.string().nullable(),
  lastOkAt: z.number().nullable(),
  lastError: z.string().nullable(),
});
export type Heartbeat = z.infer<typeof heartbeat>;

const ids = z.array(z.uuid()).max(NOTIFY_LIMITS.recipients).default([]);
const escalationStep = z.strictObject({
  /** After the incident opened. */
  afterMinutes: z.number().int().min(0).max(2880),
  users: ids,
  channels: ids,
  rotas: ids,
});

/** Whom an incident reaches as long as nobody acknowledges it. */
export const newEscalation = z
  .strictObject({
    name,
    steps: z.array(escalationStep).min(1).max(NOTIFY_LIMITS.steps),
    /** So long after the last step it begins again; null where it ends there. */
    repeatMinutes: z.number().int().min(5).max(1440).nullable().default(null),
  })
  .superRefine(({ steps }, context) => {
    for (const [at, step] of steps.entries()) {
      const path = ['steps', String(at)];
      if (step.users.length + step.channels.length + step.rotas.length === 0)
        context.addIssue(ownIssue([...path, 'users'], 'issue.step_empty'));
      if (at > 0 && step.afterMinutes <= (steps[at - 1]?.afterMinutes ?? 0))
        context.addIssue(ownIssue([...path, 'afterMinutes'], 'issue.step_order'));
    }
  });
export type NewEscalation = z.output<typeof newEscalation>;
export const escalation = z.object({
  _id: z.uuid(),
  name: z.string(),
  steps: z.array(
    z.object({
      afterMinutes: z.number().int(),
      users: z.array(z.string()),
      channels: z.array(z.string()),
      rotas: z.array(z.string()),
    }),
  ),
  repeatMinutes: z.number().int().nullable(),
});
export type Escalation = z.infer<typeof escalation>;

const override = z
  .strictObject({
    /** Null is nobody. */
    user: z.uuid().nullable(),
    /** Epoch ms. */
    from: z.number().int(),
    to: z.number().int(),
  })
  .refine(({ from, to }) => to > from, { error: generalIssues['issue.end_first'], path: ['to'] });

/**
 * Who is on call: members in turns, each for some days, which begin at the handover by the clock of the zone. A day that is
 * as long as the clocks make it, so that nobody is missing and nobody is there twice when they change.
 */
export const newRota = z.strictObject({
  name,
  zone,
  members: z.array(z.uuid()).min(1).max(NOTIFY_LIMITS.rotaMembers),
  /** Day of the first handover, such as `2026-03-02`. */
  startsOn: z.iso.date(),
  handover: clock,
  /** How long one is on call before the next. */
  shiftDays: z.number().int().min(1).max(28).default(7),
  /** Days that are covered, 1 is Monday; each from its handover to that of the next day. */
  weekdays: weekdays.default([1, 2, 3, 4, 5, 6, 7]),
  overrides: z.array(override).max(NOTIFY_LIMITS.overrides).default([]),
});
export type NewRota = z.output<typeof newRota>;

/** A time without a break; `user` is null where nobody is on call. */
export const shift = z.object({
  user: z.string().nullable(),
  name: z.string().nullable(),
  from: z.number(),
  to: z.number(),
  isOverride: z.boolean(),
});
export type Shift = z.infer<typeof shift>;

export const rota = z.object({
  _id: z.uuid(),
  name: z.string(),
  zone: z.string(),
  members: z.array(z.string()),
  startsOn: z.string(),
  handover: z.string(),
  shiftDays: z.number().int(),
  weekdays: z.array(z.number().int()),
  overrides: z.array(z.object({ user: z.string().nullable(), from: z.number(), to: z.number() })),
  /** Who is on call now, and who comes next. */
  now: shift.nullable(),
  next: shift.nullable(),
  /** The next four weeks without a hole; gaps are those without anybody. */
  shifts: z.array(shift),
});
export type Rota = z.infer<typeof rota>;

/** A person is left in peace by the clock of their zone; so many of the gravest severities go through. */
export const quietHours = z
  .strictObject({
    from: clock,
    to: clock,
    zone,
    days: weekdays.default([1, 2, 3, 4, 5, 6, 7]),
    throughRanks: z.number().int().min(0).max(10).default(1),
  })
  .refine(({ from, to }) => from !== to, { error: notificationsIssues['issue.same_times'], path: ['to'] });
export type QuietHours = z.output<typeof quietHours>;

/** What is less grave than so many of the gravest severities comes as one mail a day. */
export const digest = z.strictObject({
  at: clock,
  zone,
  fromRank: z.number().int().min(1).max(10).default(2),
});
export type Digest = z.output<typeof digest>;

/** What a browser gives of its subscription. */
export const newPushSubscription = z.strictObject({
  endpoint: z
    .string()
    .max(2000)
    .regex(/^https?:\/\/[^\s/]+/i, notificationsIssues['issue.push_endpoint']),
  keys: z.strictObject({
    p256dh: z.string().regex(/^[\w-]{87}=?$/, notificationsIssues['issue.push_endpoint']),
    auth: z.string().regex(/^[\w-]{22}(?:==)?$/, notificationsIssues['issue.push_endpoint']),
  }),
  /** What the person knows the browser by. */
  label: z
    .string()
    .trim()
    .max(120)
    .regex(...ONE_LINE)
    .default(''),
});
export type NewPushSubscription = z.output<typeof newPushSubscription>;
export const pushSubscription = z.object({
  _id: z.uuid(),
  label: z.string(),
  /** SHA-256 of its address in hex, by which a browser knows its own. */
  fingerprint: z.string(),
  createdAt: z.number(),
  lastOkAt: z.number().nullable(),
});
export type PushSubscription = z.infer<typeof pushSubscription>;
export const pushState = z.object({
  /** For `applicationServerKey` of the browser. */
  publicKey: z.string(),
  subscriptions: z.array(pushSubscription),
});
export type PushState = z.infer<typeof pushState>;

/** Somebody who can be named in a step or a rota; nothing of them but the name. */
export const notifiable = z.object({ _id: z.uuid(), name: z.string(), isBound: z.boolean() });
export type Notifiable = z.infer<typeof notifiable>;

export const onChannel = inWorkgroup.extend({ channel: z.uuid() });
export const onEscalation = inWorkgroup.extend({ escalation: z.uuid() });
export const onRota = inWorkgroup.extend({ rota: z.uuid() });
