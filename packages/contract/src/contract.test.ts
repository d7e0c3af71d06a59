import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { API_PREFIX, type Endpoint } from './http/endpoint.ts';
import { errorCatalog, errorText } from './http/errors.ts';
import { parseTopic, topicOf, UP_CHANNELS } from './link/link.topics.ts';

const source = import.meta.dirname;

async function everyEndpoint(): Promise<[string, Endpoint][]> {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.api.ts'),
  );
  const found: [string, Endpoint][] = [];
  for (const file of files) {
    const module = (await import(join(source, file))) as Record<string, Record<string, Endpoint>>;
    for (const api of Object.values(module))
      for (const [name, endpoint] of Object.entries(api)) found.push([`${file} ${name}`, endpoint]);
  }
  return found;
}

describe('the contract', async () => {
  const endpoints = await everyEndpoint();

  it.each(endpoints)('%s says who may call it and what it does', (_name, endpoint) => {
    expect(endpoint.access?.kind).toBeTruthy();
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
    for (const [name, { access, url }] of endpoints)
      if (access.kind === 'member' || access.kind === 'can') expect(url, name).toContain('/:wg');
  });
});

it('every error has a status and a text, and the documentation lists exactly these', () => {
  const page = readFileSync(join(source, '../../../docs/errors.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `([a-z_.]+)` /gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(Object.keys(errorCatalog).toSorted());
});

it('an error text names its facts', () => {
  expect(errorText('table.not_found', { table: 'solar' })).toBe(
    'The table solar does not exist in this workgroup.',
  );
});

it('a topic says which device speaks on which channel, and nothing else is one of ours', () => {
  for (const channel of UP_CHANNELS)
    expect(parseTopic(topicOf('d1', channel))).toEqual({ device: 'd1', channel });
  for (const topic of [
    'albedo/1/d1',
    'albedo/1//batch',
    'albedo/2/d1/batch',
    'albedo/1/d1/batch/x',
    '$SYS/x',
  ])
    expect(parseTopic(topic)).toBeNull();
});
