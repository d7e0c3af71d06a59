import { z } from 'zod';
import { foundIssue } from '../http/issues.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';

/** Versions that are kept of one thing, the newest. */
export const KEPT_VERSIONS = 100;
/** The highest number that a version can have. */
const MOST_VERSIONS = 2 ** 31 - 1;
/** Changes that one version tells. */
export const TOLD_CHANGES = 200;

/** Changes of several things at once that can be looked up. */
export const LISTED_CHANGES = 50;

/** What has versions: every kind of thing of which each save is kept. Each stands after those that it names. */
export const HISTORY_KINDS = [
  'label',
  'machine',
  'entity',
  'kpi',
  'calculation',
  'dashboard',
  'alert',
  'report',
] as const;

/** The version that was changed; where a newer one was saved meanwhile, nothing is saved. Without it, the newest. */
export const changedVersion = z.number().int().min(1).optional();

export type HistoryKind = (typeof HISTORY_KINDS)[number];

/** One save; `at` is epoch ms. */
export const savedVersion = z.object({
  version: z.number().int(),
  name: z.string(),
  by: z.string(),
  at: z.number(),
});
export type SavedVersion = z.infer<typeof savedVersion>;

/** What a save changed. `path` leads to it, and widgets stand in it by their ids. */
export const versionChange = z.object({
  type: z.enum(['CREATE', 'REMOVE', 'CHANGE']),
  path: z.array(z.union([z.string(), z.number()])),
  old: z.unknown().optional(),
  now: z.unknown().optional(),
});
export type VersionChange = z.infer<typeof versionChange>;

/** A save with what it changed since the one before; null where that one is no longer kept. */
export const toldVersion = savedVersion.extend({
  changes: z.array(versionChange).nullable(),
  /** How many there are, however many are told. */
  count: z.number().int(),
});

/** Several things that were saved together. */
export const savedChange = z.object({
  id: z.uuid(),
  by: z.string(),
  at: z.number(),
  count: z.number().int(),
  /** Of each kind how many. */
  kinds: z.partialRecord(z.enum(HISTORY_KINDS), z.number().int()),
  /** Some of their names. */
  names: z.array(z.string()),
});
export type SavedChange = z.infer<typeof savedChange>;

/** Kinds whose ids are no UUIDs: those of clients, and the names of configurations. */
const OF_CLIENTS: ReadonlySet<HistoryKind> = new Set(['label', 'entity', 'report']);

export const ofThing = inWorkgroup
  .extend({ thing: z.enum(HISTORY_KINDS), id: z.string().min(1).max(200) })
  .superRefine(({ thing, id }, context) => {
    if (OF_CLIENTS.has(thing)) return;
    for (const { message } of z.uuid().safeParse(id).error?.issues ?? [])
      context.addIssue(foundIssue({ code: 'custom', message }, ['id']));
  });
export const ofChange = inWorkgroup.extend({ change: z.uuid() });
export const ofVersion = ofThing.safeExtend({ version: z.coerce.number().int().min(1).max(MOST_VERSIONS) });
