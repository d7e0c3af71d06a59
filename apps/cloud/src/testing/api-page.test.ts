import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OWN_NUMBERS } from '@albedo/contract/link/link.messages';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { block } from '../telemetry/telemetry.test-store.ts';
import { NEW_TOKEN } from './identities.ts';
import { startTestCloud, type TestCloud } from './test-cloud.ts';

const DOCS = join(import.meta.dirname, '../../../../docs');
const FIELDS = { 'AC Power': ['decimal', 'W'] } as const;
type Row = [number, number, number];

let cloud: TestCloud;
let token = '';
let roof = '';
/** Where the examples write. */
const folder = mkdtempSync(join(tmpdir(), 'albedo-examples-'));

beforeAll(async () => {
  cloud = await startTestCloud();
  const owner = await cloud.owner();
  roof = (await cloud.call('POST', 'devices/main', { token: owner, body: { name: 'Roof' } })).body.id;
  const body = { ...NEW_TOKEN, permissions: ['read', 'coordinate'], canRenew: false };
  token = (await cloud.call('POST', 'orgs/main/api-tokens', { token: owner, body })).body.token;
  await store('inverter', [[1, Date.now() - 600_000, 1200]], 'first');
});
afterAll(async () => {
  await cloud.stop();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => vi.restoreAllMocks());

async function store(table: string, rows: Row[], name: string): Promise<void> {
  const of = block(table, { 'AC Power': [...FIELDS['AC Power']] }, rows, { workgroup: 'main', device: roof });
  await cloud.cloud.features.telemetry.asSystem('ingest').insert([of], name);
}

const examples = [...readFileSync(join(DOCS, 'api.md'), 'utf8').matchAll(/```sh\n(.*?)```/gs)].map(
  ([, one]) => one as string,
);

test('the page has examples', () => expect(examples.length).toBeGreaterThan(8));

test.each(examples)('the example works as it stands on the page: %s', async (command) => {
  const env = { ...process.env, ALBEDO_URL: cloud.cloud.url, ALBEDO_TOKEN: token, WG: 'main' };
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { env, cwd: folder });
  expect(stdout).toMatch(/Roof|AC.Power|inverter|1200|Tickets/);
});

interface Kept {
  storedAt?: string;
}
interface Follow {
  nextRecords(
    of: object,
    state: Kept,
  ): Promise<{ records: { msg_id: number; event_time: string }[]; state: Kept }>;
}

test('following misses nothing and repeats nothing while a device hands in what is old', async () => {
  const { nextRecords } = (await import(join(DOCS, 'follow.mjs'))) as Follow;
  const of = { url: cloud.cloud.url, token, workgroup: 'main', table: 'followed' };
  const seen: number[] = [];
  let state: Kept = {};
  const follow = async () => {
    // As it is kept between two runs of the program.
    const next = await nextRecords(of, JSON.parse(JSON.stringify(state)));
    state = next.state;
    seen.push(...next.records.map(({ msg_id }) => msg_id));
  };
  const now = Date.now();
  const run = (from: number, count: number, at: number): Row[] =>
    Array.from({ length: count }, (_, i) => [from + i, at + i * 1000, i]);
  await store('followed', run(5000, 5, now - 5000), 'live');
  await follow();
  // Days old, with lower numbers than what is known.
  await store('followed', run(1000, 50, now - 3 * 86_400_000), 'back 1');
  await follow();
  await store('followed', run(5005, 5, now), 'live 2');
  await store('followed', run(1050, 50, now - 2 * 86_400_000), 'back 2');
  await follow();
  // Visible after what was stored later.
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse(state.storedAt ?? '') - 40_000);
  await store('followed', run(1100, 20, now - 86_400_000), 'back 3');
  vi.restoreAllMocks();
  await follow();
  expect(seen).toContain(1119);
  // The device says again what was not acknowledged.
  await store('followed', run(1100, 20, now - 86_400_000), 'back 3, once more');
  await follow();
  await follow();
  const sent = [...run(5000, 10, 0), ...run(1000, 120, 0)].map(([id]) => id);
  expect(seen.length).toBe(sent.length);
  expect([...seen].sort((a, b) => a - b)).toEqual([...sent].sort((a, b) => a - b));
});

/** A machine with other work takes longer than the second that is usual. */
const SOON = { timeout: 20_000 };

test('following misses nothing of imports and external sources, and hears of what corrects them', async () => {
  const { nextRecords } = (await import(join(DOCS, 'follow.mjs'))) as Follow;
  const of = { url: cloud.cloud.url, token, workgroup: 'main', table: 'imported' };
  let state: Kept = {};
  const follow = async () => {
    const next = await nextRecords(of, JSON.parse(JSON.stringify(state)));
    state = next.state;
    return next.records.map(({ event_time: at }) => Date.parse(at));
  };
  const at = Date.now() - 86_400_000;
  // All events of an import that have the same fields have one number.
  const rows = [0, 1, 2, 3].map((i): Row => [OWN_NUMBERS + 77, at + i * 1000, i]);
  await store('imported', rows, 'import');
  expect(await follow()).toEqual(rows.map(([, time]) => time));
  expect(await follow()).toEqual([]);
  await vi.waitFor(async () => {
    await store('imported', [[OWN_NUMBERS + 77, at + 2000, 20]], crypto.randomUUID());
    expect(await follow()).toEqual([at + 2000]);
  }, SOON);
  expect(await follow()).toEqual([]);
});
