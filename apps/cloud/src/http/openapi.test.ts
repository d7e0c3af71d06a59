import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { API_PREFIX, type Endpoint } from '@albedo/contract/http/endpoint';
import {
  aggregation,
  searchFilter,
  searchForms,
  searchTimeframe,
} from '@albedo/contract/telemetry/search.schema';
import { Validator } from '@seriousme/openapi-schema-validator';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Guard } from '../access/guard.ts';
import { everyEndpoint } from '../testing/identities.ts';
import { bind } from './bind.ts';
import { createHttp } from './server.ts';

/** The document of the whole contract; nothing has to run for it. */
const endpoints = await everyEndpoint();
const api = Object.fromEntries(endpoints.map((one) => [`${one.method} ${one.url}`, one]));

interface Operation {
  summary: string;
  security?: Record<string, string[]>[];
  'x-access': unknown;
  parameters?: { name: string; in: string; schema: object; example?: unknown }[];
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> };
  responses: Record<string, { content?: Record<string, { example?: unknown }> }>;
}
let app: Awaited<ReturnType<typeof createHttp>>;
let document: {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
};
const operationOf = ({ method, url }: Endpoint): Operation | undefined =>
  document.paths[API_PREFIX + url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];

beforeAll(async () => {
  app = await createHttp({
    log: pino({ level: 'silent' }),
    guard: {} as Guard,
    csrfSecret: Buffer.from('secret'),
    redis: null,
    isHttps: false,
    trustedProxies: [],
  });
  bind(app, api, Object.fromEntries(Object.keys(api).map((name) => [name, () => null])) as never);
  document = (await app.inject(`${API_PREFIX}/openapi.json`)).json();
});
afterAll(() => app.close());

test('the document is OpenAPI 3.1, as a validator that is not ours says', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document) as never);
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  expect(validator.version).toBe('3.1');
});

test('a generator makes a client of it that has every path', () => {
  const program = join(import.meta.dirname, '../../../../scripts/openapi/client.ts');
  const made = execFileSync(process.execPath, [program], { input: JSON.stringify(document) });
  expect(Number(made)).toBe(Object.keys(document.paths).length);
});

test('every endpoint is in it with its access, its parameters and the statuses that it may refuse with', () => {
  for (const endpoint of endpoints) {
    const name = `${endpoint.method} ${endpoint.url}`;
    const operation = operationOf(endpoint);
    expect(operation, name).toMatchObject({ summary: endpoint.summary, 'x-access': endpoint.access });
    const isPublic = endpoint.access.who.kind === 'public';
    const statuses = Object.keys(operation?.responses ?? {});
    expect(statuses, name).toEqual(expect.arrayContaining(['200', '429', 'default']));
    expect(statuses.includes('401'), name).toBe(!isPublic);
    if (!isPublic) expect(operation?.security?.length, name).toBeGreaterThan(0);
    for (const { schema } of operation?.parameters ?? []) expect(schema, name).toBeTypeOf('object');
  }
});

test('every call shows a good request, and its answer where that is JSON', () => {
  for (const endpoint of endpoints) {
    const name = `${endpoint.method} ${endpoint.url}`;
    const operation = operationOf(endpoint);
    const { params, querystring, body } = endpoint.schema;
    const shown = (place: string) =>
      Object.fromEntries(
        (operation?.parameters ?? [])
          .filter((one) => one.in === place && one.example !== undefined)
          .map((one) => [one.name, one.example]),
      );
    if (params) expect(params.safeParse(shown('path')).error, name).toBeUndefined();
    if (querystring) expect(querystring.safeParse(shown('query')).error, name).toBeUndefined();
    for (const { example } of Object.values(operation?.requestBody?.content ?? {}))
      if (body) expect(body.safeParse(example).error, name).toBeUndefined();
    if (body && endpoint.method !== 'GET') expect(operation?.requestBody, name).toBeDefined();
    const answer = operation?.responses['200']?.content?.['application/json'];
    if (endpoint.schema.response) expect(answer, name).toHaveProperty('example');
  }
});

test('filters, aggregations and timeframes have types, in addresses and in bodies', () => {
  const at = (path: string, method: string) => document.paths[`${API_PREFIX}${path}`]?.[method];
  const search = at('/tables/{wg}/{table}/search', 'get');
  const items = (name: string) =>
    search?.parameters?.find((one) => one.name === name)?.schema as { items?: object } | undefined;
  const json = (name: string) => ({
    type: 'string',
    contentMediaType: 'application/json',
    contentSchema: { $ref: `#/components/schemas/${name}` },
  });
  expect(items('filters')?.items).toEqual(json('SearchFilterInput'));
  expect(items('aggs')?.items).toEqual(json('SearchAggregationInput'));
  expect(search?.parameters?.find((one) => one.name === 'timeframe')).toMatchObject({
    schema: { type: 'string' },
    description: expect.stringContaining('last-7-days'),
  });
  expect(items('csvStyle')).toMatchObject({
    contentMediaType: 'application/json',
    contentSchema: { properties: { delimiter: expect.anything() } },
  });
  const saved = at('/tables/{wg}/{table}/export', 'post')?.requestBody?.content['application/json']?.schema;
  expect(saved).toMatchObject({
    properties: {
      filters: { items: { $ref: '#/components/schemas/SearchFilterInput' } },
      timeframe: { $ref: '#/components/schemas/SearchTimeframeInput' },
    },
  });
  const { SearchFilterInput: filter, SearchAggregationInput: aggregation } = document.components.schemas;
  expect(filter).toMatchObject({
    anyOf: [
      {
        required: ['field', 'operator'],
        properties: { operator: { enum: expect.arrayContaining(['LIKE']) } },
      },
      { properties: { filters: { items: { $ref: '#/components/schemas/SearchFilterInput' } } } },
    ],
  });
  expect(aggregation).toMatchObject({
    required: ['type'],
    properties: { type: { enum: expect.arrayContaining(['difference', 'integral', 'percentiles']) } },
  });
});

/** What is read by hand takes what its form says, and nothing else. */
test.each([
  [
    searchFilter,
    searchForms.filter,
    [
      { field: 'a', operator: '=', value: 1 },
      { field: 'a', operator: 'IN', value: ['x', 'y'] },
      { field: 'a', operator: 'EXISTS' },
      {
        operator: 'OR',
        filters: [
          { field: 'a', operator: '<', value: 2 },
          { filters: [{ field: 'b', operator: 'LIKE', value: 'x*' }] },
        ],
      },
      {},
      { field: 'a', operator: '~', value: 1 },
      { field: 'a', operator: '=', value: {} },
      { field: '', operator: '=', value: 1 },
      { operator: 'OR', filters: [] },
      { operator: 'XOR', filters: [{ field: 'a', operator: 'EXISTS' }] },
      { field: 'a', operator: '=', value: 1, more: 2 },
      'a=1',
    ],
  ],
  [
    aggregation,
    searchForms.aggregation,
    [
      { type: 'max', field: 'a' },
      {
        type: 'integral',
        fields: ['a'],
        groupBy: ['device', { field: 'event_time', interval: '1d' }],
        unit: 'h',
        fill: true,
      },
      { type: 'percentiles', field: 'a', percents: [5, 95] },
      { type: 'mean', field: 'a' },
      { field: 'a' },
      { type: 'max', field: 'a', groupBy: [{ field: 'event_time', interval: '7m' }] },
    ],
  ],
  [
    searchTimeframe,
    searchForms.timeframe,
    [
      'last-7-days',
      'all-time',
      '90m',
      { from: 0 },
      { from: '2026-01-01', to: null },
      { to: 5, until: 6 },
      'last-9-days',
      5,
    ],
  ],
] as const)('the form of %# is what is taken', (schema, form, given) => {
  for (const one of given)
    expect([one, form.safeParse(one).success]).toEqual([one, schema.safeParse(one).success]);
});
