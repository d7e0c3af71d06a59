/**
 * What lies between an order and an inverter: from when the agent has a signed order until the register has the value, beside a
 * bare Modbus write by hand; and how long it takes until 19 inverters are told to stop. Agent, plugin and simulated plants are
 * processes of their own. `node bench/control.ts [rounds]`
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ControlledSite } from '@albedo/demo/src/testing/controlled-site.ts';
import { findPlant } from '@albedo/simulator/plants/plants';
import { percentile } from './percentile.ts';

const [rounds = 60] = process.argv.slice(2).map(Number);
const MOST_BEYOND_MS = 2000;
const MOST_STOP_MS = 1000;
const SLUGS = ['hilltop', 'riverside', 'harbour'];

const site = new ControlledSite(SLUGS);
let version = 0;
let isGood = true;
try {
  await site.start();
  const bare = await bareWrites();
  const ordered = await orders();
  const beyondMs = percentile(ordered, 0.95) - percentile(bare, 0.95);
  print('bare Modbus write, and read back', bare);
  print('signed order, until the register has it', ordered);
  const ratio = percentile(ordered, 0.95) / percentile(bare, 0.95);
  tell(
    `beyond a bare write, p95: ${beyondMs.toFixed(0)} ms (${ratio.toFixed(0)} times it)`,
    beyondMs,
    MOST_BEYOND_MS,
  );
  const { stops, count } = await stopAll();
  print(`${count} inverters stopped, until the last register has it`, stops);
  tell(`${count} inverters stopped, the slowest time`, Math.max(...stops), MOST_STOP_MS);
} finally {
  await site.stop();
}
process.exitCode = isGood ? 0 : 1;

/** What anybody could do who is connected to the inverter. */
async function bareWrites(): Promise<number[]> {
  const address = await site.limitAddress();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const value = 9000 + (round % 2);
    const began = performance.now();
    await site.write('hilltop', 2, address, value);
    const [back] = await site.read('hilltop', 2, address, 1);
    if (back !== value) throw new Error('the inverter did not take it');
    times.push(performance.now() - began);
  }
  await site.write('hilltop', 2, address, 10_000);
  return times;
}

async function orders(): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // At any instant between two looks of the plugin.
    await sleep(2000 * ((round * 0.618) % 1));
    times.push(await timed(20 + (round % 60), [['hilltop', 1]]));
  }
  return times;
}

/** From an order until every one of these inverters has the limit in its register. */
async function timed(percent: number, inverters: [slug: string, unit: number][]): Promise<number> {
  version++;
  const began = performance.now();
  const datetime = new Date(Date.now() - 1000).toISOString();
  const answered = site.cloud.order({ version, entries: [{ datetime, value: `${percent}%` }] });
  const waiting = new Map(inverters.map((one) => [one.join('/'), one]));
  while (waiting.size > 0) {
    for (const [key, [slug, unit]] of waiting) {
      // Of what is rounded down a count is missing.
      if (Math.abs((await site.limitPct(slug, unit)) - percent) > 0.15) break;
      waiting.delete(key);
    }
    if (performance.now() - began > 20_000)
      throw new Error(`${[...waiting.keys()]} did not take ${percent} %`);
    if (waiting.size > 0) await sleep(2);
  }
  const took = performance.now() - began;
  await answered;
  return took;
}

/** All inverters of all plants behind one plugin. */
async function stopAll(): Promise<{ stops: number[]; count: number }> {
  const inverters = SLUGS.flatMap((slug) =>
    Array.from({ length: findPlant(slug).inverters }, (_, index): [string, number] => [slug, index + 1]),
  );
  const lines = inverters.map(
    ([slug, unit]) =>
      `  - {name: ${slug}-${unit}, endpoint: 127.0.0.1, port: ${site.ports.get(slug)}, unit: ${unit}}\n`,
  );
  writeFileSync(
    join(site.root, 'etc/albedo/services/files/pv-control.config_file'),
    `interval: 1000\nproviders:\n  - {name: operator, type: schedule}\ninverters:\n${lines.join('')}`,
  );
  const stops: number[] = [];
  for (let round = 0; round < Math.ceil(rounds / 6); round++) {
    await timed(50, inverters);
    await sleep(1000 * ((round * 0.618) % 1));
    stops.push(await timed(0, inverters));
  }
  return { stops, count: inverters.length };
}

function print(what: string, times: readonly number[]): void {
  const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)].map((ms) => ms.toFixed(1));
  console.log(`${what.padEnd(52)} p50 ${p50} ms, p95 ${p95} ms (${times.length})`);
}

function tell(what: string, ms: number, most: number): void {
  isGood &&= ms <= most;
  console.log(`${what}: ${ms <= most ? 'good' : 'TOO SLOW'}, ${ms.toFixed(0)} of ${most} ms`);
}
