import { z } from 'zod';
import { generalIssues, issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { lookupTablesIssues } from './lookup-tables.errors.ts';

const ownIssue = issuesOf({ ...generalIssues, ...lookupTablesIssues });

/** What one table may hold; the whole of it has to fit into a request. */
export const LOOKUP_TABLE_LIMITS = { fields: 20, values: 5000 } as const;

const label = z
  .string()
  .trim()
  .min(1, 'Required')
  .max(80)
  .regex(...ONE_LINE);

/** A column of words. `code` is what values name it by, and what a language code stands in for that language. */
const lookupField = z.object({ code: label, name: label, type: z.literal('String').default('String') });

/**
 * What a stored code means. `field` names the field of the data whose values are meant; without it the entry is about no
 * field of its own. `fields` has a text by the code of a column.
 */
export const lookupValue = z.object({
  value: z.string().trim().max(200),
  field: z.string().trim().max(200).nullable().default(null),
  fields: z.record(z.string().max(80), z.string().max(500)),
});
export type LookupValue = z.output<typeof lookupValue>;

/** A table as it is written, all of it at once. */
export const newLookupTable = z
  .object({
    code: z
      .string()
      .trim()
      .min(1, 'Required')
      .max(80)
      .regex(/^[\w-]+$/, 'A code has only letters, digits, _ and -.'),
    name: label,
    fields: z.array(lookupField).max(LOOKUP_TABLE_LIMITS.fields).default([]),
    values: z.array(lookupValue).max(LOOKUP_TABLE_LIMITS.values).default([]),
  })
  .superRefine(({ fields, values }, context) => {
    const codes = new Set<string>();
    for (const [i, { code }] of fields.entries()) {
      if (codes.has(code)) context.addIssue(ownIssue(['fields', String(i), 'code'], 'issue.twice'));
      codes.add(code);
    }
    const seen = new Set<string>();
    for (const [i, { value, field, fields: texts }] of values.entries()) {
      const key = JSON.stringify([field, value]);
      if (seen.has(key)) context.addIssue(ownIssue(['values', String(i), 'value'], 'issue.twice'));
      seen.add(key);
      for (const name of Object.keys(texts))
        if (!codes.has(name))
          context.addIssue(ownIssue(['values', String(i), 'fields'], 'issue.lookup_field', { name }));
    }
  });
export type NewLookupTable = z.output<typeof newLookupTable>;

export const lookupTable = z.object({
  _id: z.uuid(),
  code: z.string(),
  name: z.string(),
  fields: z.array(lookupField.extend({ code: z.string(), name: z.string() })),
  values: z.array(lookupValue),
});
export type LookupTable = z.infer<typeof lookupTable>;

export const onLookupTable = inWorkgroup.extend({ lookupTable: z.uuid() });
