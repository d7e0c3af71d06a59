import { z } from 'zod';
import { generalIssues, issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { boardsIssues } from './boards.errors.ts';

const ownIssue = issuesOf({ ...generalIssues, ...boardsIssues });

/** What a variable may be: one of some texts, an entity, a label, a calendar interval, or what is typed. */
export const VARIABLE_KINDS = ['entity', 'label', 'list', 'number', 'text', 'interval'] as const;
export type VariableKind = (typeof VARIABLE_KINDS)[number];

/** Of one board or widget. */
const MOST = 20;

const text = z
  .string()
  .trim()
  .max(200)
  .regex(...ONE_LINE);

/** Something that whoever looks at a board can choose; `{{name}}` stands for it. */
export const boardVariable = z.strictObject({
  name: z
    .string()
    .max(40)
    .regex(/^[A-Za-z][A-Za-z0-9_]*$/, boardsIssues['issue.variable_name']),
  kind: z.enum(VARIABLE_KINDS),
  /** How it is called on the board; else by its name. */
  title: text.optional(),
  /** Of a list: what can be chosen. Of an entity: the label of those that can be. */
  options: z.array(text.min(1)).max(200).optional(),
  /** What it is first; of a list the first option where it is left out. */
  initial: text.optional(),
});
export type BoardVariable = z.infer<typeof boardVariable>;

export const boardVariables = z
  .array(boardVariable)
  .max(MOST)
  .superRefine((all, context) => {
    for (const [at, { name, kind, initial }] of all.entries()) {
      if (all.findIndex((one) => one.name === name) < at)
        context.addIssue(ownIssue([String(at), 'name'], 'issue.variable_twice', { name }));
      if (kind === 'number' && initial && !Number.isFinite(Number(initial)))
        context.addIssue(ownIssue([String(at), 'initial'], 'issue.number'));
    }
  });
