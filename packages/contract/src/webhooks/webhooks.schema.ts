import { z } from 'zod';
import { generalIssues, issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { notificationsIssues } from '../notifications/notifications.errors.ts';
import { CLOUD_TABLES, tableName } from '../telemetry/telemetry.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { webhooksIssues } from './webhooks.errors.ts';
import { WEBHOOK_EVENTS, WEBHOOK_LIMITS } from './webhooks.names.ts';

const ownIssue = issuesOf({ ...generalIssues, ...webhooksIssues });

const events = z.array(z.enum(WEBHOOK_EVENTS)).min(1, 'Required').max(WEBHOOK_EVENTS.length);

/**
 * A webhook as people save it. The address may contain a secret, so it is never shown again; left out, it stays as it is.
 */
export const newWebhook = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1, 'Required')
      .max(80)
      .regex(...ONE_LINE),
    enabled: z.boolean().default(true),
    address: z
      .string()
      .trim()
      .max(2000)
      .regex(/^https?:\/\/[^\s/]+/i, notificationsIssues['issue.webhook_address'])
      .optional(),
    events,
    /** The tables whose new rows are sent, with `table.rows`. */
    tables: z.array(tableName).max(WEBHOOK_LIMITS.tables).default([]),
  })
  .superRefine(({ events: wanted, tables }, context) => {
    if (wanted.includes('table.rows') && tables.length === 0)
      context.addIssue(ownIssue(['tables'], 'issue.webhook_no_tables'));
    const cloudTable = tables.findIndex((table) => CLOUD_TABLES.has(table));
    if (cloudTable >= 0) context.addIssue(ownIssue(['tables', String(cloudTable)], 'issue.webhook_table'));
  });
export type NewWebhook = z.output<typeof newWebhook>;

export const webhook = z.object({
  _id: z.uuid(),
  name: z.string(),
  enabled: z.boolean(),
  /** The host of the address. */
  host: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  tables: z.array(z.string()),
  createdBy: z.string(),
  createdAt: z.number(),
  lastOkAt: z.number().nullable(),
  lastError: z.string().nullable(),
  /** Since when it fails, epoch ms; null if it works. */
  failingSince: z.number().nullable(),
  /** When the next attempt is made, epoch ms; null if none has to wait. */
  nextAt: z.number().nullable(),
  /** Why it was turned off: it answered that it is gone, or it failed for days. */
  offReason: z.enum(['gone', 'failed']).nullable(),
  /** Messages that are not delivered yet. */
  waiting: z.number().int(),
  /** Until when messages are signed with the old secret as well, epoch ms. */
  oldSecretUntil: z.number().nullable(),
});
export type Webhook = z.infer<typeof webhook>;

/** With the signing secret if it was just made: it is shown only once. */
export const savedWebhook = webhook.extend({ secret: z.string().nullable() });
export type SavedWebhook = z.infer<typeof savedWebhook>;

export const webhookTest = z.object({
  ok: z.boolean(),
  /** Of the answer; null if there was none. */
  status: z.number().int().nullable(),
  tookMs: z.number().int(),
  error: z.string().nullable(),
});
export type WebhookTest = z.infer<typeof webhookTest>;

/** One message, and how its last attempt ended. */
export const webhookDelivery = z.object({
  /** Sent as `webhook-id` with every attempt. */
  id: z.uuid(),
  event: z.enum([...WEBHOOK_EVENTS, 'test']),
  createdAt: z.number(),
  state: z.enum(['waiting', 'delivered', 'dropped']),
  attempts: z.number().int(),
  /** Of the answer; null if there was none. */
  status: z.number().int().nullable(),
  tookMs: z.number().int().nullable(),
  error: z.string().nullable(),
  endedAt: z.number().nullable(),
  /** The message; if it is long, only its beginning, with `…` at the end. */
  body: z.string(),
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

export const onWebhook = inWorkgroup.extend({ webhook: z.uuid() });
export const onWebhookDelivery = onWebhook.extend({ delivery: z.uuid() });
