import { expect, test } from 'vitest';
import { z } from 'zod';
import { strictly } from './strictly.ts';

const issuesOf = (schema: z.ZodType, value: unknown) =>
  strictly(schema)
    .safeParse(value)
    .error?.issues.map(({ code, path }) => `${code} ${path.join('.')}`) ?? [];

const part = z.object({ a: z.number().optional() });
const UNKNOWN = { b: 1 };

test.each([
  ['an object', part, UNKNOWN],
  ['one in an object', z.object({ of: part }), { of: UNKNOWN }],
  ['one in a list', z.array(part), [UNKNOWN]],
  ['one in a record', z.record(z.string(), part), { x: UNKNOWN }],
  ['one that may be left out', z.object({ of: part.nullable().optional() }), { of: UNKNOWN }],
  ['one with a default', z.object({ of: part.default({}) }), { of: UNKNOWN }],
  ['one of several kinds', z.union([z.string(), part]), UNKNOWN],
  [
    'one that is told by a word',
    z.discriminatedUnion('k', [part.extend({ k: z.literal('x') })]),
    { k: 'x', b: 1 },
  ],
  ['one that is turned into something', part.transform(({ a }) => a), UNKNOWN],
  ['one with a check of its own', part.refine(() => true), UNKNOWN],
])('%s refuses a key that it does not declare', (_, schema, value) => {
  expect(schema.safeParse(value).success).toBe(true);
  expect(issuesOf(schema, value)).not.toEqual([]);
});

test('what is left open stays open, and checks stay', () => {
  const open = z.object({ any: z.looseObject({}), free: z.record(z.string(), z.unknown()), x: z.unknown() });
  expect(issuesOf(open, { any: { b: 1 }, free: { b: 1 }, x: { b: 1 } })).toEqual([]);
  const checked = part.refine(({ a }) => a !== 1, 'Not one.');
  expect(issuesOf(checked, { a: 1 })).toEqual(['custom ']);
  expect(strictly(checked).safeParse({ a: 2 }).data).toEqual({ a: 2 });
});

test('an object that has itself among its parts refuses it at any depth', () => {
  const tree = z.object({
    get children() {
      return z.array(tree).optional();
    },
  });
  expect(issuesOf(tree, { children: [{ children: [] }] })).toEqual([]);
  expect(issuesOf(tree, { children: [{ childs: [] }] })).toEqual(['unrecognized_keys children.0']);
});
