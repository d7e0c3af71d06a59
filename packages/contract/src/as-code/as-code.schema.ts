import { z } from 'zod';
import { HISTORY_KINDS, savedChange, versionChange } from '../history/history.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';

/** What one file may hold. */
export const CODE_LIMITS = {
  /** Characters. */
  characters: 4_000_000,
  /** Levels of lists and maps within each other. */
  depth: 40,
  /** Things of one kind. */
  things: 20_000,
} as const;

/** The format of a file that this release writes. */
export const CODE_FORMAT = 1;

/** Changes of one thing that a plan tells. */
export const PLANNED_CHANGES = 50;

export const codeBody = z.object({
  yaml: z.string().min(1, 'Required').max(CODE_LIMITS.characters),
  /** Deletes what the file leaves out of the kinds that it has. */
  prune: z.boolean().default(false),
});

/** What happens with one thing. */
export const plannedThing = z.object({
  kind: z.enum(HISTORY_KINDS),
  /** Its stable name. */
  key: z.string(),
  action: z.enum(['create', 'update', 'delete']),
  /** Of an update: what becomes different. */
  changes: z.array(versionChange),
  /** How many there are, however many are told. */
  count: z.number().int(),
});
export type PlannedThing = z.infer<typeof plannedThing>;

/** What applying a file changes; in the order in which it happens. */
export const codePlan = z.object({ things: z.array(plannedThing), unchanged: z.number().int() });
export type CodePlan = z.infer<typeof codePlan>;

/** `change` can be undone as one; null where nothing changed. */
export const codeApplied = codePlan.extend({ change: savedChange.nullable() });

/** Which kinds a file is to have, by commas; without, all that the workgroup has. */
export const exportQuery = z.object({ kinds: z.string().max(200).optional() });
export const ofCode = inWorkgroup;
