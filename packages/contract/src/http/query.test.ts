import { expect, test } from 'vitest';
import { z } from 'zod';
import { anyone, member } from '../access/access.ts';
import type { Endpoint } from './endpoint.ts';
import { demandedQuery, flag } from './query.ts';

const build = (changes: Partial<Endpoint> & { querystring?: z.ZodType } = {}): Endpoint => {
  const { querystring, ...more } = changes;
  const schema = { ...(querystring ? { querystring } : {}), response: { 200: z.object({}) } };
  return { method: 'GET', url: '/notes/:wg', access: member, summary: 'Notes.', schema, ...more };
};
const refusedBy = (endpoint: Endpoint, query: object) =>
  demandedQuery(endpoint)
    ?.safeParse(query)
    .error?.issues.flatMap((one) => ('keys' in one ? one.keys : [])) ?? [];

test('a parameter that an endpoint does not declare is refused by name, and those that it declares pass', () => {
  const endpoint = build({ querystring: z.object({ rows: z.string().optional() }) });
  expect(refusedBy(endpoint, { rows: '5' })).toEqual([]);
  expect(refusedBy(endpoint, { rwos: '5', rows: '5', Rows: '5' })).toEqual(['rwos', 'Rows']);
});

test('an endpoint that declares none refuses any, unless everybody may call it, or it answers no JSON', () => {
  expect(refusedBy(build(), { label: 'site' })).toEqual(['label']);
  expect(refusedBy(build(), {})).toEqual([]);
  expect(demandedQuery(build({ access: anyone }))).toBeUndefined();
  expect(demandedQuery(build({ method: 'POST' }))).toBeUndefined();
  expect(demandedQuery(build({ schema: {}, produces: 'text/csv' }))).toBeUndefined();
});

test('where others add to the address, what is not declared is ignored', () => {
  const endpoint = build({ querystring: z.looseObject({ query: z.string() }) });
  expect(refusedBy(endpoint, { query: 'up', timeout: '30s' })).toEqual([]);
});

test.each([
  ['true', true],
  ['1', true],
  ['anything', true],
  ['False', false],
  ['off', false],
  ['N', false],
  ['0', false],
  ['', false],
  [undefined, false],
])('the flag %j is %s', (given, expected) => {
  expect(flag.parse(given)).toBe(expected);
});
