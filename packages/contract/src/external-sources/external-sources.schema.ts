import { z } from 'zod';
import { historyColumn } from '../history-imports/history-imports.schema.ts';
import { generalIssues, issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { LOOKUP_TABLE_LIMITS, lookupValue } from '../lookup-tables/lookup-tables.schema.ts';
import { mappedFault, mappedField, mappedPreview, mapping } from '../mapping/mapping.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { externalSourcesIssues } from './external-sources.errors.ts';

const ownIssue = issuesOf({ ...generalIssues, ...externalSourcesIssues });

/** How often a source is read, minutes. */
export const PULL_MINUTES = [1, 5, 15, 30, 60, 360, 1440] as const;
/** Events that one answer or one message may bring. */
export const EXTERNAL_RECORDS = 10_000;
/** Records that one file may bring. */
export const FILE_RECORDS = 200_000;
/** Runs kept for a source. */
export const RUNS_KEPT = 100;
export const EXTERNAL_FORMATS = ['json', 'xml', 'csv'] as const;

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

const everyMinutes = z.literal(PULL_MINUTES).default(15);

const address = line(2000).regex(
  /^https?:\/\/[^\s/]+/i,
  'Enter an address such as https://example.org/data.',
);

/** What is read, and how: `{from}` and `{to}` in the address become the newest stored event and now, ISO 8601. */
export const pull = z.object({
  address,
  everyMinutes,
  credential: credential.default({ kind: 'none' }),
});

/** A pattern for file names: `*` stands for any characters, `?` for one. */
const files = line(200).default('*');

/** A folder on somebody else's server. Each file in it is read once, and again when it has changed. */
export const sftpFolder = z.object({
  address: line(300).regex(/^sftp:\/\/[^\s/@]+\/?$/i, externalSourcesIssues['issue.sftp_address']),
  user: line(200),
  /** What the secret is: a password, or a private key in OpenSSH or PEM format. */
  signIn: z.enum(['password', 'key']).default('password'),
  folder: line(1000).default('.'),
  files,
  everyMinutes,
  /** The expected host key, as `ssh-keygen -l` shows it; without one, the first that the server shows is kept, as is a saved one. */
  hostKey: z
    .string()
    .trim()
    .regex(/^SHA256:[A-Za-z0-9+/]{43}=?$/, externalSourcesIssues['issue.host_key'])
    .nullable()
    .default(null),
});
export type SftpFolder = z.output<typeof sftpFolder>;

/** Text that a mail header must contain; empty for any. */
const headerPart = z
  .string()
  .trim()
  .max(200)
  .regex(...ONE_LINE)
  .default('');

/** A mailbox that is read over IMAP and left unchanged; the attachments of its mails are the files. */
export const mailbox = z.object({
  address: line(300).regex(/^imaps?:\/\/[^\s/@]+\/?$/i, externalSourcesIssues['issue.mailbox_address']),
  /** The secret of the source is the password. */
  user: line(200),
  folder: line(300).default('INBOX'),
  /** Only mails whose sender and subject contain these texts. */
  from: headerPart,
  subject: headerPart,
  files,
  everyMinutes,
});
export type Mailbox = z.output<typeof mailbox>;

/** Records replace all values of a lookup table. */
export const lookupTarget = z.object({
  table: z.uuid(),
  valueColumn: line(300),
  /** The field that the codes belong to, unless a column names it. */
  field: z.string().trim().max(200).nullable().default(null),
  fieldColumn: line(300).nullable().default(null),
  /** Columns of texts; `code` is a language such as `de`, or a name of its own. */
  texts: z.array(z.object({ column: line(300), code: line(80) })).max(LOOKUP_TABLE_LIMITS.fields),
});
export type LookupTarget = z.output<typeof lookupTarget>;

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
const KINDS = ['pull', 'sftp', 'mail', 'push', 'mqtt'] as const;
export type ExternalKind = (typeof KINDS)[number];

/** The settings that each kind has its address in. */
const PLACES = { pull: 'pull', sftp: 'sftp', mail: 'mailbox', mqtt: 'subscription', push: 'push' } as const;

function checkLookup({ texts }: LookupTarget, kind: ExternalKind, context: z.RefinementCtx): void {
  if (kind === 'mqtt') context.addIssue(ownIssue(['lookup'], 'issue.lookup_broker'));
  if (texts.length === 0) context.addIssue(ownIssue(['lookup', 'texts'], 'issue.too_few', { min: '1' }));
  const codes = new Set<string>();
  for (const [i, { code }] of texts.entries()) {
    if (codes.has(code)) context.addIssue(ownIssue(['lookup', 'texts', String(i), 'code'], 'issue.twice'));
    codes.add(code);
  }
}

export const newExternalSource = z
  .object({
    name: line(80),
    /** Read by the cloud on a schedule (web, folder, mailbox), pushed to us by others, or received from a broker. */
    kind: z.enum(KINDS),
    isEnabled: z.boolean().default(true),
    /** The device that gets the telemetry; without it one with the name of the source is created. Not used for lookup tables. */
    device: z.uuid().nullable().default(null),
    format: z.enum(EXTERNAL_FORMATS).default('json'),
    /** The path to the list of records in JSON and XML; empty for the whole content. */
    recordsPath: z.string().trim().max(300).default(''),
    /** How records become events; null for a lookup table. */
    mapping: externalMapping.nullable().default(null),
    lookup: lookupTarget.nullable().default(null),
    pull: pull.nullable().default(null),
    sftp: sftpFolder.nullable().default(null),
    mailbox: mailbox.nullable().default(null),
    subscription: subscription.nullable().default(null),
    /** For the credential, the folder, the mailbox or the user of the broker; left out to keep the saved one. */
    secret: z.string().min(1).max(4000).optional(),
    /** Accepts another host key than the saved one. Without it, that one stays as long as the server is the same. */
    forgetHostKey: z.boolean().default(false),
  })
  .superRefine((wanted, context) => {
    const { kind, mapping: mapped, lookup, subscription: heard } = wanted;
    const place = { pull: wanted.pull, sftp: wanted.sftp, mail: wanted.mailbox, mqtt: heard, push: true }[
      kind
    ];
    if (place === null) context.addIssue(ownIssue([PLACES[kind], 'address'], 'issue.required'));
    if (lookup) checkLookup(lookup, kind, context);
    if (!mapped && !lookup) context.addIssue(ownIssue(['mapping'], 'issue.required'));
    const isSparkplug = kind === 'mqtt' && heard?.payload === 'sparkplug';
    if (mapped && !lookup && mapped.fields.length === 0 && !isSparkplug)
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
  /** Null for a lookup table. */
  device: z.uuid().nullable(),
  format: z.enum(EXTERNAL_FORMATS),
  recordsPath: z.string(),
  mapping: externalMapping.nullable(),
  lookup: lookupTarget.nullable(),
  pull: pull.nullable(),
  sftp: sftpFolder.nullable(),
  mailbox: mailbox.nullable(),
  subscription: subscription.nullable(),
  /** What is known of the connection with a broker; null before the first, and for other kinds. */
  connection: connection.nullable(),
  hasSecret: z.boolean(),
  lastRunAt: z.number().nullable(),
  lastOkAt: z.number().nullable(),
  /** Of the last run; null where it went well. */
  lastError: z.string().nullable(),
  /** New events, or new values of a lookup table, from the last run that succeeded. */
  lastEvents: z.number().int().nullable(),
  nextAt: z.number().nullable(),
});
export type ExternalSource = z.infer<typeof externalSource>;

/** The token stands here once, when it was made. */
export const savedExternalSource = externalSource.extend({ token: z.string().nullable() });
export type SavedExternalSource = z.infer<typeof savedExternalSource>;

const count = z.number().int();

/** One run of a source. `refused` counts records that brought nothing. */
export const externalRun = z.object({
  _id: z.uuid(),
  at: z.number(),
  tookMs: count,
  by: z.enum(['schedule', 'person', 'push']),
  records: count,
  stored: count,
  refused: count,
  /** What went wrong or was left out; null if nothing did. */
  error: z.string().nullable(),
  isFailed: z.boolean(),
  /** The files that were read, for sources with files. */
  files: z.array(
    z.object({
      name: z.string(),
      records: count,
      stored: count,
      refused: count,
      error: z.string().nullable(),
    }),
  ),
  /** Why the first records were left out. */
  faults: z.array(mappedFault),
});
export type ExternalRun = z.infer<typeof externalRun>;

/** A file that the preview found. */
const seenFile = z.object({
  name: z.string(),
  bytes: count,
  /** Null if unknown. */
  at: z.number().nullable(),
  /** Not read yet, already read, or still being written. */
  state: z.enum(['new', 'read', 'growing']),
});

/** What a source would bring. */
export const externalPreview = mappedPreview.extend({
  /** What each column contains. */
  profiles: z.array(historyColumn),
  timeColumn: z.string().nullable(),
  /** The first records as texts, in the order of `columns`. */
  rows: z.array(z.array(z.string())),
  /** The file that is shown, and all files found; null and empty for sources without files. */
  file: z.string().nullable(),
  files: z.array(seenFile),
  /** The host key of the server of a folder. */
  hostKey: z.string().nullable(),
  /** The values that a lookup table would get, and how many would be added, changed and removed. */
  lookup: z
    .object({ values: count, added: count, changed: count, removed: count, sample: z.array(lookupValue) })
    .nullable(),
});
export type ExternalPreview = z.infer<typeof externalPreview>;

export const onExternalSource = inWorkgroup.extend({ externalSource: z.uuid() });
