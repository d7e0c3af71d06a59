import { z } from 'zod';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';

/** Versions that are kept of one thing, the newest. */
export const KEPT_VERSIONS = 100;
/** The highest number that a version can have. */
const MOST_VERSIONS = 2 ** 31 - 1;
/** Changes that one version tells. */
export const TOLD_CHANGES = 200;

/** What has versions: every kind of thing of which each save is kept. */
export const HISTORY_KINDS = ['dashboard'] as const;
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

export const ofThing = inWorkgroup.extend({ thing: z.enum(HISTORY_KINDS), id: z.uuid() });
export const ofVersion = ofThing.extend({ version: z.coerce.number().int().min(1).max(MOST_VERSIONS) });
