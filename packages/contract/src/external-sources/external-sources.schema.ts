import { z } from 'zod';
import { generalIssues, issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { mapping } from '../mapping/mapping.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';

const ownIssue = issuesOf(generalIssues);

/** How often a source is read, minutes. */
export const PULL_MINUTES = [1, 5, 15, 30, 60, 360, 1440] as const;
/** Events that one answer or one message may bring. */
export const EXTERNAL_RECORDS = 10_000;

const line = (most: number) =>
  z
    .string('Required')
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

export const newExternalSource = z
  .object({
    name: line(80),
    /** Pulled by the cloud on a schedule, or pushed by others to the address that it has. */
    kind: z.enum(['pull', 'push']),
    isEnabled: z.boolean().default(true),
    /** Whose telemetry it becomes; without it a device is made that has the name of the source. */
    device: z.uuid().nullable().default(null),
    format: z.enum(['json', 'csv']).default('json'),
    /** The way to the list of records in JSON; empty for the whole. */
    recordsPath: z.string().trim().max(300).default(''),
    mapping,
    pull: pull.nullable().default(null),
    /** Of the credential; left out to keep the one that is known. */
    secret: z.string().min(1).max(4000).optional(),
  })
  .superRefine(({ kind, pull: asked }, context) => {
    if (kind === 'pull' && asked === null) context.addIssue(ownIssue(['pull', 'address'], 'issue.required'));
  });
export type NewExternalSource = z.output<typeof newExternalSource>;

/** Instants are epoch ms; null where nothing has happened yet. */
export const externalSource = z.object({
  _id: z.uuid(),
  name: z.string(),
  kind: z.enum(['pull', 'push']),
  isEnabled: z.boolean(),
  device: z.uuid(),
  format: z.enum(['json', 'csv']),
  recordsPath: z.string(),
  mapping,
  pull: pull.nullable(),
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
