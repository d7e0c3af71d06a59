import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROVIDER_LOG } from '../audit/audit.service.ts';
import { connectAgent } from '../testing/fake-agent.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let token = '';
const DAY_MS = 86_400_000;
const LAST_DAY = Date.UTC(2026, 2, 5);

beforeAll(async () => {
  cloud = await startTestCloud({ ALBEDO_STAFF_DOMAINS: 'example.org' });
  token = await cloud.owner();
  const agent = await connectAgent(cloud, 'main', 'Roof');
  // Two days, in one part of the store; the rows of each are more than one block.
  for (const table of ['whole', 'hurt'])
    await agent.send([
      {
        table,
        source: 'inv-01',
        fields: [{ name: 'power', type: 'decimal' }],
        rows: Array.from({ length: 400 }, (_, at) => [
          LAST_DAY - (at % 2) * DAY_MS + at * 1000,
          Math.sin(at) * 1000,
        ]),
      },
    ]);
  await agent.acknowledged();
  await agent.leave();
});
afterAll(() => cloud.stop());

const damages = async () => (await cloud.call('GET', 'opsteam/damages', { token })).body;
const ready = async (of = cloud) => {
  const answer = await fetch(`${of.cloud.url}/readyz`);
  return { http: answer.status, ...((await answer.json()) as { status: string; checks: object }) };
};
const rowsOf = async (table: string) => {
  const { status, body } = await cloud.call('GET', `tables/main/${table}/search?rows=1000`, { token });
  return status === 200 ? body.records.length : `answers ${status}`;
};

/** The folders of the parts of the events table, the largest first. */
function partFolders(): string[] {
  const store = join(cloud.dataDir, 'telemetry/store');
  const paths = readdirSync(store, { recursive: true, encoding: 'utf8' });
  return paths
    .filter((path) => /\/2026\d\d_\d+_\d+_\d+(_\d+)?$/.test(path) && !path.includes('detached'))
    .map((path) => join(store, path))
    .sort((a, b) => sizeOf(b) - sizeOf(a));
}
const sizeOf = (part: string): number => statSync(join(part, 'data.bin')).size;

function flip(file: string, share: number): void {
  const bytes = readFileSync(file);
  const at = Math.floor(bytes.length * share);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

test('a store and records that are whole are not spoken of', async () => {
  await cloud.cloud.features.storeChecks.round();
  expect(await damages()).toEqual([]);
  expect(await ready()).toMatchObject({ status: 'ready' });
});

test('a damaged part is named, taken out, told to the staff and in /readyz, and the rest goes on', async () => {
  const [part = ''] = partFolders();
  flip(join(part, 'data.bin'), 0.5);
  await cloud.cloud.features.storeChecks.round();
  const [found] = await damages();
  expect(found).toMatchObject({ engine: 'telemetry', isSetAside: true });
  expect(found.reason).toMatch(/Checksum mismatch for file data\.bin/);
  expect(found.what).toMatch(/^events 2026/);
  const after = await ready();
  expect([after.http, after.status]).toEqual([200, 'impaired']);
  expect(JSON.stringify(after.checks)).toContain(found.what);
  // Everything is served; what was read before the part went is there still.
  for (const table of ['whole', 'hurt']) expect(await rowsOf(table)).toBeTypeOf('number');
  const audit = await auditOf(cloud, PROVIDER_LOG);
  expect(JSON.stringify(audit)).toContain(found.what);
  // Once, however often it is looked at.
  await cloud.cloud.features.storeChecks.round();
  expect(await damages()).toHaveLength(1);
});

/** A copy of the data folder with harm done to the files of some relations, as a disk does it: while nobody looks. */
async function damagedCopy(which: string, harm: (file: string, at: number) => void): Promise<string> {
  const { postgres } = cloud.cloud.features;
  const places = await postgres.query<{ path: string }>(
    `select pg_relation_filepath(c.oid) as path from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where ${which} order by 1`,
  );
  expect(places).not.toEqual([]);
  await postgres.exec('checkpoint');
  const dataDir = mkdtempSync(join(tmpdir(), 'albedo-damaged-'));
  cpSync(cloud.dataDir, dataDir, { recursive: true, filter: (path) => !path.endsWith('.sock') });
  for (const lock of ['lock', 'postgres/postgres.lock']) rmSync(join(dataDir, lock), { force: true });
  for (const [at, { path }] of places.entries()) harm(join(dataDir, 'postgres/cluster', path), at);
  return dataDir;
}

test('indexes of the records that are damaged or gone are made anew at the start, and everything is served', {
  timeout: 60_000,
}, async () => {
  const ofOurs = "c.relkind = 'i' and n.nspname in ('public', 'pgboss', 'drizzle')";
  const dataDir = await damagedCopy(ofOurs, (file, at) => (at % 10 === 0 ? rmSync(file) : flip(file, 0.3)));
  const other = await startTestCloud({ ALBEDO_DATA: dataDir });
  try {
    expect((await other.call('GET', 'orgs', { token })).status).toBe(200);
    expect((await other.call('GET', 'devices/main', { token })).body).toHaveLength(1);
    await other.cloud.features.storeChecks.round();
    expect(await ready(other)).toMatchObject({ status: 'ready', checks: { 'records on the disk': 'ok' } });
  } finally {
    await other.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test('a damaged page of the records is found at the start and named, and the rest is served', {
  timeout: 60_000,
}, async () => {
  const made = await cloud.call('POST', 'lookupTables/main', {
    token,
    body: {
      code: 'states',
      name: 'States',
      fields: [{ code: 'label', name: 'Text', type: 'String' }],
      values: [{ value: '1', fields: { label: 'runs' } }],
    },
  });
  expect(made.status).toBe(200);
  const dataDir = await damagedCopy("c.relname = 'lookup_tables'", (file) => flip(file, 0.99));
  const other = await startTestCloud({ ALBEDO_DATA: dataDir });
  try {
    await expect
      .poll(async () => JSON.stringify((await ready(other)).checks), { timeout: 20_000 })
      .toContain('damaged on the disk: lookup_tables');
    expect((await other.call('GET', 'devices/main', { token })).body).toHaveLength(1);
    expect((await other.call('GET', 'lookupTables/main', { token })).status).toBe(500);
  } finally {
    await other.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test.each([
  ['cut short', (part: string) => truncateSync(join(part, 'data.bin'), 100)],
  ['gone', (part: string) => rmSync(part, { recursive: true })],
])(
  'a part that is %s while rows come in is named, and all that comes in is stored',
  {
    timeout: 60_000,
  },
  async (how, harm) => {
    const agent = await connectAgent(cloud, 'main', `Shed ${how}`);
    const send = async (table: string, from: number) => {
      const fields = [{ name: 'power', type: 'decimal' as const }];
      const rows = Array.from({ length: 200 }, (_, at): [number, number] => [
        LAST_DAY + (from + at) * 1000,
        at,
      ]);
      await agent.send([{ table, source: 'inv-01', fields, rows }]);
      await agent.acknowledged();
    };
    const before = new Set(partFolders());
    const known = (await damages()).length;
    await send(how.replace(' ', '_'), 0);
    const [part = ''] = partFolders().filter((path) => !before.has(path));
    harm(part);
    const table = `after_${how.replace(' ', '_')}`;
    for (let from = 0; from < 1000; from += 200) {
      await send(table, from);
      if (from === 400) await cloud.cloud.features.storeChecks.round();
    }
    expect(await rowsOf(table)).toBe(1000);
    expect((await damages()).length).toBeGreaterThan(known);
    await agent.leave();
  },
);
