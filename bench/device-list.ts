/** How long the device list of a large workgroup takes at the server. `node bench/device-list.ts [devices] [rounds]` */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { BenchCloud, WORKGROUP } from './bench-cloud.ts';
import { percentile } from './percentile.ts';

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

/** ms until the last byte, and bytes on the wire; nothing is unpacked. */
async function ask(encoding: string): Promise<{ ms: number; bytes: number }> {
  const began = performance.now();
  const request = get(`${bench.cloud.url}${API_PREFIX}/devices/${WORKGROUP}`, {
    headers: { authorization: `Bearer ${bench.token}`, 'accept-encoding': encoding },
  });
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  if (reply.statusCode !== 200) throw new Error(`The list answers ${reply.statusCode}.`);
  let bytes = 0;
  for await (const chunk of reply) bytes += (chunk as Buffer).length;
  return { ms: performance.now() - began, bytes };
}

console.log(`device list of ${devices} devices, ${rounds} times, target 300 ms`);
for (const encoding of ['identity', 'gzip']) {
  const times: number[] = [];
  let size = 0;
  for (let round = 0; round < rounds + WARM_ROUNDS; round++) {
    const { ms, bytes } = await ask(encoding);
    size = bytes;
    if (round >= WARM_ROUNDS) times.push(ms);
  }
  const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)].map((ms) => ms.toFixed(0));
  console.log(`${encoding}: p50 ${p50} ms, p95 ${p95} ms, ${(size / 2 ** 20).toFixed(2)} MB`);
}
await bench.stop();
