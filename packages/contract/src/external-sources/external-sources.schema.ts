import { z } from 'zod';
import { generalIssues, issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { mappedField, mapping } from '../mapping/mapping.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { externalSourcesIssues } from './external-sources.errors.ts';

const ownIssue = issuesOf({ ...generalIssues, ...externalSourcesIssues });

/** How often a source is read, minutes. */
export const PULL_MINUTES = [1, 5, 15, 30, 60, 360, 1440] as const;
/** Events that one answer or one message may bring. */
export const EXTERNAL_RECORDS = 10_000;

const line = (most: number) =>
  z
    .string()
    .trim()
    .min(1, 'Required')
    .max(most)
    .regex(...ONE_LINE);

/** How the cloud says who it is. The secret is written and never read. */
export const credential = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('bearer') }),
  z.object({ kind: z.literal('basic'), user: line(200) }),
  z.object({
    kind: z.literal('header'),
    header: line(80).regex(/^[a-zA-Z][\w-]*$/, 'A header has only letters, digits and -.'),
  }),
]);
export type Credential = z.output<typeof credential>;

const address = line(2000).regex(
  /^https?:\/\/[^\s/]+/i,
  'Enter an address such as https://example.org/data.',
);

/** What is read, and how: `{from}` and `{to}` in the address become the newest stored event and now, ISO 8601. */
export const pull = z.object({
  address,
  everyMinutes: z.literal(PULL_MINUTES).default(15),
  credential: credential.default({ kind: 'none' }),
});

/** A filter of MQTT, `+` for one level and `#` for all that follow; none of the broker's own. */
const topicFilter = line(300).regex(
  /^(?!\$)(?:(?:[^+#/]*|\+)\/)*(?:[^+#/]*|\+|#)$/,
  externalSourcesIssues['issue.topic_filter'],
);
/** What topics of Sparkplug B begin with. */
export const SPARKPLUG = 'spBv1.0/';

/**
 * A broker of somebody else, to which the cloud subscribes. Messages are records (JSON or CSV), bare values with their name in
 * the last level of the topic, or Sparkplug B. The arrival and the topic are columns: `mqtt.time`, `mqtt.topic`, `mqtt.1`…
 */
export const subscription = z.object({
  address: line(300).regex(/^mqtts?:\/\/[^\s/@]+\/?$/i, externalSourcesIssues['issue.broker_address']),
  /** The secret of the source is the password. */
  user: line(200).nullable().default(null),
  /** What the broker knows this client by; without it the source's own id. */
  clientId: line(100).nullable().default(null),
  topics: z.array(topicFilter).min(1, externalSourcesIssues['issue.topic_filter']).max(20),
  payload: z.enum(['records', 'values', 'sparkplug']).default('records'),
  /** Authority that signed the broker's certificate, PEM; without it those that everybody trusts. */
  caPem: z
    .string()
    .max(20_000)
    .includes('-----BEGIN CERTIFICATE-----', { error: externalSourcesIssues['issue.ca_pem'] })
    .nullable()
    .default(null),
});
export type Subscription = z.output<typeof subscription>;

/** For Sparkplug B the source is a pattern of {group}, {node} and {device}, and no fields means every metric. */
const externalMapping = mapping.safeExtend({ fields: z.array(mappedField).max(200) });
const KINDS = ['pull', 'push', 'mqtt'] as const;

export const newExternalSource = z
  .object({
    name: line(80),
    /** Pulled by the cloud on a schedule, pushed by others to the address that it has, or heard at a broker. */
    kind: z.enum(KINDS),
    isEnabled: z.boolean().default(true),
    /** Whose telemetry it becomes; without it a device is made that has the name of the source. */
    device: z.uuid().nullable().default(null),
    format: z.enum(['json', 'csv']).default('json'),
    /** The way to the list of records in JSON; empty for the whole. */
    recordsPath: z.string().trim().max(300).default(''),
    mapping: externalMapping,
    pull: pull.nullable().default(null),
    subscription: subscription.nullable().default(null),
    /** Of the credential or the user of the broker; left out to keep the one that is known. */
    secret: z.string().min(1).max(4000).optional(),
  })
  .superRefine(({ kind, pull: asked, subscription: heard, mapping: { fields } }, context) => {
    if (kind === 'pull' && asked === null) context.addIssue(ownIssue(['pull', 'address'], 'issue.required'));
    if (kind === 'mqtt' && heard === null)
      context.addIssue(ownIssue(['subscription', 'address'], 'issue.required'));
    const isSparkplug = kind === 'mqtt' && heard?.payload === 'sparkplug';
    if (fields.length === 0 && !isSparkplug)
      context.addIssue(ownIssue(['mapping', 'fields'], 'issue.too_few', { min: '1' }));
    if (isSparkplug && heard.topics.some((one) => !one.startsWith(SPARKPLUG)))
      context.addIssue(ownIssue(['subscription', 'topics'], 'issue.topic_sparkplug'));
  });
export type NewExternalSource = z.output<typeof newExternalSource>;

/** Since when the cloud hears a broker or does not, epoch ms, and what came since the process began to follow it. */
export const connection = z.object({
  isConnected: z.boolean(),
  since: z.number(),
  messages: z.number().int(),
  events: z.number().int(),
  /** Messages and values that could not be read. */
  faults: z.number().int(),
});
export type Connection = z.infer<typeof connection>;

/** Instants are epoch ms; null where nothing has happened yet. */
export const externalSource = z.object({
  _id: z.uuid(),
  name: z.string(),
  kind: z.enum(KINDS),
  isEnabled: z.boolean(),
  device: z.uuid(),
  format: z.enum(['json', 'csv']),
  recordsPath: z.string(),
  mapping: externalMapping,
  pull: pull.nullable(),
  subscription: subscription.nullable(),
  /** What is known of the connection with a broker; null before the first, and for other kinds. */
  connection: connection.nullable(),
  hasSecret: z.boolean(),
  lastRunAt: z.number().nullable(),
  lastOkAt: z.number().nullable(),
  /** Of the last run; null where it went well. */
  lastError: z.string().nullable(),
  /** Events that the last good run brought and that were new. */
  lastEvents: z.number().int().nullable(),
  nextAt: z.number().nullable(),
});
export type ExternalSource = z.infer<typeof externalSource>;

/** The token stands here once, when it was made. */
export const savedExternalSource = externalSource.extend({ token: z.string().nullable() });
export type SavedExternalSource = z.infer<typeof savedExternalSource>;

export const onExternalSource = inWorkgroup.extend({ externalSource: z.uuid() });
