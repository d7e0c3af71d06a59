/**
 * Pull any plug, and nothing is lost: the cloud with its broker, and three agents, run as processes while counters are
 * written into captured files; each is killed with SIGKILL at random moments and started again. Afterwards every count
 * stands in the store exactly once and the completeness ledger agrees.
 *
 * `ALBEDO_ENDURANCE_SECONDS` sets how long the killing goes on.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { completenessApi } from '@albedo/contract/completeness/completeness.api';
import { telemetryApi } from '@albedo/contract/telemetry/telemetry.api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../scripts/testing/engines.ts';
import { until } from './harness/processes.ts';
import { Cloud, EdgeAgent } from './harness/product.ts';

const SECONDS = Number(process.env.ALBEDO_ENDURANCE_SECONDS ?? 45);
const SOURCES = ['pump', 'valve'];
const LINES_A_SECOND = 20;
const PAGE = 10_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('killing cloud, broker and agents at random moments', () => {
  const folder = mkdtempSync(join(tmpdir(), 'albedo-endurance-'));
  const agents: EdgeAgent[] = [];
  let cloud: Cloud;
  let wg: string;
  let written = 0;

  beforeAll(async () => {
    cloud = new Cloud({ data: join(folder, 'data'), httpPort: await freePort(), mqttPort: await freePort() });
    await cloud.start();
    wg = await cloud.signIn();
    for (const name of ['north', 'south', 'west'])
      agents.push(await EdgeAgent.install(cloud, wg, name, folder));
    for (const agent of agents) agent.program.start();
  }, 120_000);

  afterAll(async () => {
    for (const agent of agents) await agent.program.end('SIGKILL');
    await cloud?.program.end('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });

  it(
    'leaves every event in the store exactly once, and a ledger that agrees',
    async () => {
      const end = Date.now() + SECONDS * 1000;
      let kills = 0;
      const writing = (async () => {
        while (Date.now() < end) {
          written++;
          for (const agent of agents)
            for (const source of SOURCES)
              agent.write(
                'counter',
                source,
                'Datetime(date),count(integer)',
                `${new Date().toISOString()},${written}`,
              );
          await pause(1000 / LINES_A_SECOND);
        }
      })();
      const killing = (async () => {
        while (Date.now() < end) {
          await pause(500 + Math.random() * 2500);
          const victims = [...agents.map((agent) => agent.program), cloud.program];
          const victim = victims[Math.floor(Math.random() * victims.length)];
          if (!victim) continue;
          await victim.end('SIGKILL');
          kills++;
          await pause(Math.random() * 1000);
          victim.start();
          // A cloud that never gets to its feet would test nothing but its start.
          if (victim === cloud.program && Math.random() < 0.7) await cloud.ready();
        }
      })();
      await Promise.all([writing, killing]);
      await cloud.ready();
      await cloud.signIn();
      expect(kills).toBeGreaterThan(SECONDS / 10);

      for (const agent of agents) {
        const params = { wg, device: agent.device.id };
        const ledger = await until(`everything of ${agent.device.name} is stored`, 90, async () => {
          const now = await cloud.api.call(completenessApi.get, { params });
          const counters = now.streams.filter((stream) => stream.table === 'counter');
          return counters.length === SOURCES.length &&
            counters.every((stream) => stream.stored >= written) &&
            now.pending === 0
            ? { ...now, counters }
            : undefined;
        });
        for (const stream of ledger.counters)
          expect(stream, `${agent.device.name} ${stream.source}`).toMatchObject({
            captured: written,
            stored: written,
            dropped: 0,
            setAside: 0,
          });
        expect(ledger.gaps).toEqual([]);
        for (const source of SOURCES) {
          const counts = await storedCounts(agent.device.id, source);
          expect(counts).toEqual(Array.from({ length: written }, (_, index) => index + 1));
        }
      }
    },
    (SECONDS + 240) * 1000,
  );

  async function storedCounts(device: string, source: string): Promise<number[]> {
    const found = await cloud.api.call(telemetryApi.search, {
      params: { wg, table: 'counter' },
      query: {
        filters: [
          JSON.stringify({ field: 'device', operator: '=', value: device }),
          JSON.stringify({ field: 'source', operator: '=', value: source }),
        ],
        fields: ['count'],
        aggs: [],
        sort: 'count',
        rows: PAGE,
      },
    });
    return found.records.map((record) => Number(record.count));
  }
});
