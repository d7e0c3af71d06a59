/**
 * How long the device list of a large workgroup takes at the server, and a search over its events: for who sees all
 * devices, and for a member of a group of half of them. `node bench/device-list.ts [devices] [rounds]`
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import type { BatchRow } from '@albedo/contract/link/link.messages';
import { BenchCloud, WORKGROUP } from './bench-cloud.ts';
import { percentile } from './percentile.ts';
import { INVERTER_FIELDS, Inverter } from './telemetry.data.ts';

const [devices = 10_000, rounds = 30] = process.argv.slice(2).map(Number);
const WARM_ROUNDS = 3;

const bench = await BenchCloud.start();
const { postgres, health, registry } = bench.cloud.features;
await postgres.query(
  `INSERT INTO devices (id, workgroup, name, arch, meta)
   SELECT gen_random_uuid(), $1, 'Inverter ' || n, 'amd64', '{}'::jsonb FROM generate_series(1, $2::int) n`,
  [WORKGROUP, devices],
);
await registry.start();
const now = Date.now();
for (const { id } of registry.inWorkgroup(WORKGROUP)) {
  health.setPresence(id, true, now, { isFirst: false });
  health.takeStatus(id, {
    at: now,
    version: '1.0.0',
    starts: 3,
    crashes: 0,
    outbox: 'bench',
    os: 'Debian GNU/Linux 12 (bookworm)',
    sourceLastDataAt: now,
    pendingEvents: 0,
    pendingBytes: 0,
    outboxLimitBytes: 2 ** 28,
    unreadBytes: 0,
    droppedEvents: 0,
    lastMsgId: 1,
    streams: [],
  });
}

const BLOCK = 500;
const EVENTS_A_DEVICE = 20;
const ids = registry.inWorkgroup(WORKGROUP).map(({ id }) => id);
const stream = { table: 'solar', source: 'inverter', fields: INVERTER_FIELDS };
const inverter = new Inverter();
for (let from = 0; from < ids.length; from += BLOCK) {
  const blocks = ids.slice(from, from + BLOCK).map((device) => ({
    workgroup: WORKGROUP,
    device,
    stream,
    rows: Array.from({ length: EVENTS_A_DEVICE }, (_, i): BatchRow => {
      const at = now - i * 60_000;
      return [i + 1, at, ...inverter.read(at, 60_000)];
    }),
  }));
  await bench.cloud.features.telemetry.asSystem('ingest').insert(blocks, randomUUID());
}
const callers = { unbound: bench.token, bound: await bench.boundTo(ids.filter((_, i) => i % 2 === 0)) };

/** ms until the last byte, and bytes on the wire; nothing is unpacked. */
async function ask(path: string, token: string, encoding: string): Promise<{ ms: number; bytes: number }> {
  const began = performance.now();
  const request = get(`${bench.cloud.url}${API_PREFIX}/${path}`, {
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': encoding },
  });
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  if (reply.statusCode !== 200) throw new Error(`${path} answers ${reply.statusCode}.`);
  let bytes = 0;
  for await (const chunk of reply) bytes += (chunk as Buffer).length;
  return { ms: performance.now() - began, bytes };
}

/** Both callers in turns, so that whatever else the machine does meets both. */
async function compare(name: string, path: string, encoding: string): Promise<void> {
  const times: Record<keyof typeof callers, number[]> = { unbound: [], bound: [] };
  const sizes = { unbound: 0, bound: 0 };
  for (let round = 0; round < rounds + WARM_ROUNDS; round++) {
    for (const caller of ['unbound', 'bound'] as const) {
      const { ms, bytes } = await ask(path, callers[caller], encoding);
      sizes[caller] = bytes;
      if (round >= WARM_ROUNDS) times[caller].push(ms);
    }
  }
  for (const caller of ['unbound', 'bound'] as const) {
    const [p50, p95] = [0.5, 0.95].map((share) => percentile(times[caller], share).toFixed(0));
    const megabytes = (sizes[caller] / 2 ** 20).toFixed(2);
    console.log(`${name}, ${encoding}, ${caller}: p50 ${p50} ms, p95 ${p95} ms, ${megabytes} MB`);
  }
  const ratio = percentile(times.bound, 0.5) / percentile(times.unbound, 0.5);
  console.log(`${name}, ${encoding}: bound takes ${ratio.toFixed(2)} of unbound`);
}

console.log(`${devices} devices, ${rounds} times; the list's target is 300 ms`);
for (const encoding of ['identity', 'gzip']) await compare('list', `devices/${WORKGROUP}`, encoding);
await compare('search', `tables/${WORKGROUP}/solar/search?rows=50`, 'identity');
await bench.stop();
