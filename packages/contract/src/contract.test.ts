import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { errorCatalog, errorText } from './failures/errors.ts';
import { issueCatalog } from './failures/issues.ts';
import { API_PREFIX, type Endpoint } from './http/endpoint.ts';
import { exampleParams } from './http/examples.ts';
import { demandedBody } from './http/query.ts';
import { isUnsharded, parseTopic, SHARDS, shardOf, topicOf, UP_CHANNELS } from './link/link.topics.ts';
import { watchedLists } from './lists/lists.socket.ts';

const source = import.meta.dirname;

/** Bodies of which others decide what is in them: records that are pushed, readings by the names of meters, answers of identity providers, and programs that speak a protocol of their own. */
const OPEN_BODIES: readonly string[] = [
  'external-sources/external-sources.api.ts push',
  'energy/energy.api.ts putMeterData',
  'identity-providers/identity-providers.api.ts acs',
  'mcp/mcp.api.ts send',
  'prometheus/prometheus.api.ts postQuery',
  'prometheus/prometheus.api.ts postRange',
  'prometheus/prometheus.api.ts postLabels',
  'prometheus/prometheus.api.ts postSeries',
  'prometheus/prometheus.api.ts postExemplars',
];

async function everyEndpoint(): Promise<[string, Endpoint][]> {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.api.ts'),
  );
  const found: [string, Endpoint][] = [];
  for (const file of files) {
    const module = (await import(join(source, file))) as Record<string, Record<string, Endpoint>>;
    for (const [exported, api] of Object.entries(module))
      if (exported.endsWith('Api'))
        for (const [name, endpoint] of Object.entries(api)) found.push([`${file} ${name}`, endpoint]);
  }
  return found;
}

describe('the contract', async () => {
  const endpoints = await everyEndpoint();

  it.each(endpoints)('%s says who may call it and what it does', (_name, endpoint) => {
    expect(endpoint.access?.who?.kind).toBeTruthy();
    expect(endpoint.summary).toMatch(/^[A-Z].*\.$/);
    expect(endpoint.url).toMatch(/^\/[a-zA-Z]/);
    expect(endpoint.url.startsWith(API_PREFIX)).toBe(false);
    expect(Boolean(endpoint.schema.response) !== Boolean(endpoint.produces)).toBe(true);
  });

  it('declares no method and path twice', () => {
    const keys = endpoints.map(([, { method, url }]) => `${method} ${url}`);
    expect(keys).toEqual([...new Set(keys)]);
  });

  it('binds what asks for a workgroup right to a workgroup in the path', () => {
    for (const [name, { access, url }] of endpoints) {
      const isOfWorkgroup = ['member', 'can', 'commands'].includes(access.who.kind);
      if (isOfWorkgroup) expect(url, name).toContain('/:wg');
      // Nothing else knows a workgroup whose addons, rules and device groups could be asked.
      else
        expect([access.unbound, access.addon, access.rule], name).toEqual([undefined, undefined, undefined]);
    }
  });

  it('refuses in every body what it does not declare, as in addresses, and takes its own examples', () => {
    for (const [name, endpoint] of endpoints) {
      const body = demandedBody(endpoint);
      if (!body || !endpoint.example) continue;
      const given = endpoint.example.body;
      expect(body.safeParse(given).error, name).toBeUndefined();
      const typo = body.safeParse({ ...(given as object), timefram: 'today' });
      expect(typo.success, name).toBe(OPEN_BODIES.includes(name));
    }
  });

  it('finds what its rules and its freshness ask for where they say that it stands', () => {
    for (const [name, { access, schema, url, consumes, method }] of endpoints) {
      const [place, field = ''] = (access.rule?.on ?? '').split('.');
      if (place === 'params') expect(url.split('/'), name).toContain(`:${field}`);
      const inBody = access.fresh && access.fresh !== true ? Object.keys(access.fresh.body) : [];
      if (place === 'body') inBody.push(field);
      if (inBody.length === 0) continue;
      expect(schema.body?.def.type, name).toBe('object');
      for (const one of inBody) expect((schema.body as z.ZodObject).shape, name).toHaveProperty(one);
      // Forms are read by their handlers, and a GET is checked once.
      expect([consumes, method === 'GET'], name).toEqual([undefined, false]);
    }
  });

  it('asks for freshness only from callers who can prove it', () => {
    for (const [name, { access }] of endpoints) {
      const { who, fresh } = access;
      if (!fresh) continue;
      const isPerson = ['signedIn', 'staff', 'addonManager', 'enrolling'].includes(who.kind);
      expect(isPerson || 'inPerson' in who, name).toBe(true);
    }
  });

  it('shows a good request wherever one has to hand something over', () => {
    for (const [name, { schema, example, url }] of endpoints) {
      if (schema.body) expect(schema.body.safeParse(example?.body).error, name).toBeUndefined();
      const query = schema.querystring?.safeParse(example?.query ?? {});
      expect(query?.error, name).toBeUndefined();
      if (schema.params) expect(schema.params.safeParse(exampleParams({ url })).error, name).toBeUndefined();
    }
  });

  it('watches no list that asks for more than who the reader is, of which group, and which addon there is', () => {
    for (const { access } of Object.values<Endpoint>(watchedLists))
      expect([access.rule, access.fresh]).toEqual([undefined, undefined]);
  });
});

it('every error has a status and a text, and the documentation lists exactly these', () => {
  const page = readFileSync(join(source, '../../../docs/errors.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `([a-z_.]+)` /gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(Object.keys(errorCatalog).toSorted());
});

it('every failure that a feature declares is in the catalogues, under a name that no other has', async () => {
  const known: Record<string, unknown> = { ...errorCatalog, ...issueCatalog };
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.errors.ts')) continue;
    const module = (await import(join(source, file))) as Record<string, object>;
    for (const [name, entry] of Object.values(module).flatMap(Object.entries))
      expect([file, name, known[name]]).toEqual([file, name, entry]);
  }
});

it('an error text names its facts', () => {
  expect(errorText('table.not_found', { table: 'solar' })).toBe(
    'The table solar does not exist in this workgroup.',
  );
});

it('a topic says which device speaks on which channel, and nothing else is one of ours', () => {
  const device = '11111111-1111-4111-8111-1111111111a3';
  expect(topicOf(device, 'batch')).toBe(`albedo/1/a3/${device}/batch`);
  for (const channel of UP_CHANNELS)
    expect(parseTopic(topicOf(device, channel))).toEqual({ device, channel });
  for (const topic of [
    `albedo/1/a3/${device}`,
    'albedo/1/a3//batch',
    `albedo/2/a3/${device}/batch`,
    `albedo/1/a3/${device}/batch/x`,
    `albedo/1/a4/${device}/batch`,
    `albedo/1/${device}/batch`,
    '$SYS/x',
  ])
    expect(parseTopic(topic), topic).toBeNull();
});

it('every device has one of the 256 shards, and any number of devices spreads over all of them', () => {
  expect(new Set(SHARDS).size).toBe(256);
  const taken = new Set(Array.from({ length: 5000 }, () => shardOf(crypto.randomUUID())));
  expect([...taken].toSorted()).toEqual(SHARDS);
});

it('topics of agents without shards are distinguished from rubbish', () => {
  const device = crypto.randomUUID();
  expect(isUnsharded(`albedo/1/${device}/state`)).toBe(true);
  expect(isUnsharded(topicOf(device, 'state'))).toBe(false);
  expect(isUnsharded('albedo/1/state')).toBe(false);
});
