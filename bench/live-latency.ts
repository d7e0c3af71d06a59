/**
 * From a device's publish to the event at a browser's socket: newest values (`device:latest`, sent in steps of 100 ms)
 * and the live feed. `node bench/live-latency.ts [samples]`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { BrowserSocket } from '@albedo/cloud/testing/browser-socket';
import { connectAgent, type FakeAgent } from '@albedo/cloud/testing/fake-agent';
import type { RequestMessage } from '@albedo/contract/link/link.messages';
import { BenchCloud, WORKGROUP } from './bench-cloud.ts';
import { percentile } from './percentile.ts';

const [samples = 200] = process.argv.slice(2).map(Number);
const EVERY_MS = 50;
const GIVE_UP_MS = 5000;
const STREAM = { table: 'data', source: 'cpu' };
const FIELDS = [{ name: 'cpu_usage', type: 'decimal' as const }];

const bench = await BenchCloud.start();
const agent = await connectAgent(bench, WORKGROUP);
const browser = await new BrowserSocket(bench.cloud.url, {
  token: bench.token,
  orgName: WORKGROUP,
}).connected();

/** When each value was published, by the value itself; a value that a newer one overtook counts with it. */
const sentAt = new Map<number, number>();
const latencies: number[] = [];
function arrived(value: number): void {
  const now = performance.now();
  for (const [sent, at] of sentAt) {
    if (sent > value) continue;
    latencies.push(now - at);
    sentAt.delete(sent);
  }
}

async function measure(name: string, send: (value: number) => Promise<void>): Promise<void> {
  latencies.length = 0;
  for (let value = 1; value <= samples; value++) {
    sentAt.set(value, performance.now());
    await send(value);
    await sleep(EVERY_MS * (0.5 + Math.random()));
  }
  const deadline = performance.now() + GIVE_UP_MS;
  while (sentAt.size > 0 && performance.now() < deadline) await sleep(10);
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)].map((ms) => ms.toFixed(1));
  console.log(
    `${name}: p50 ${p50} ms, p99 ${p99} ms, ${latencies.length} of ${samples} arrived, target 500 ms`,
  );
  sentAt.clear();
}

const feedOf = (device: FakeAgent) =>
  new Promise<Extract<RequestMessage, { action: 'feed' }>>((resolve) => {
    device.onRequest((request) => {
      if (request.action === 'feed') resolve(request);
    });
  });

await browser.call('device:watch', { deviceId: agent.id });
browser.socket.on('device:latest', ({ sources }: { sources: { values: { cpu_usage?: number } }[] }) => {
  for (const { values } of sources) if (values.cpu_usage !== undefined) arrived(values.cpu_usage);
});
await measure('newest values', (value) =>
  agent.send([{ ...STREAM, fields: FIELDS, rows: [[Date.now(), value]] }]),
);
browser.socket.off('device:latest');

void browser.call('device:feed', { deviceId: agent.id, ...STREAM }, ({ data }) => {
  const { events = [] } = (data ?? {}) as { events?: [number, { cpu_usage: number }][] };
  for (const [, { cpu_usage }] of events) arrived(cpu_usage);
});
const { feedId } = await feedOf(agent);
await measure('live feed', (value) =>
  agent.publish('live', { feedId, ...STREAM, events: [[Date.now(), { cpu_usage: value }]] }),
);

browser.close();
await agent.leave();
await bench.stop();
