import { z } from 'zod';
import { DESCENDANT_STRATEGIES } from '../entities/streams.schema.ts';
import { FIELD_ROLE_NAMES } from '../field-roles/field-roles.ts';
import { issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { COMBININGS } from '../telemetry/combine-values.ts';
import { tableName } from '../telemetry/telemetry.schema.ts';
import { boardsIssues } from './boards.errors.ts';

const ownIssue = issuesOf(boardsIssues);

/** What becomes of several streams; `each` draws all of them. */
export const COMBINATIONS = ['each', ...COMBININGS] as const;
export type Combination = (typeof COMBINATIONS)[number];

const word = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(...ONE_LINE);

/**
 * A stream by what it is, so that one board serves every entity: a role, or a field of a table, in the entity itself, in a
 * child by its path of names, in all children or descendants, or in those with a label.
 */
export const boardStream = z
  .strictObject({
    over: z
      .string()
      .max(100)
      .default('self')
      .superRefine((given, context) => {
        if (!(DESCENDANT_STRATEGIES as readonly string[]).includes(given))
          context.addIssue(ownIssue([], 'issue.descendants', { x: given }));
      }),
    /** Of `path`: names of children, from the entity down. */
    path: z.array(word).max(10).optional(),
    /** Of `label`: its id. */
    label: word.optional(),
    role: z.enum(FIELD_ROLE_NAMES).optional(),
    table: tableName.optional(),
    field: word.optional(),
    /** Only sources with this label; its id. */
    sourceLabel: word.optional(),
    /** Only this source, where an entity has several. */
    source: z.string().max(400).optional(),
    combine: z.enum(COMBINATIONS).default('each'),
    /** Once for each child of the entity, combined over everything below that child. */
    isPerChild: z.boolean().optional(),
    /** What the line is called; else by its entity and field. */
    name: z
      .string()
      .trim()
      .max(120)
      .regex(...ONE_LINE)
      .optional(),
  })
  .superRefine(({ role, table, field }, context) => {
    if (role === undefined && (table === undefined || field === undefined))
      context.addIssue(ownIssue(['field'], 'issue.stream_of'));
  });
export type BoardStream = z.output<typeof boardStream>;
