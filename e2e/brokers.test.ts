/**
 * Two processes share the brokers of external sources: one of them at a time stays with each, by a lease in PostgreSQL. Each is
 * killed in turn while a plain device speaks; the other one goes on, and every message is stored once.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectClickHouse } from '@albedo/clickhouse/client';
import { startEmbeddedClickHouse } from '@albedo/clickhouse/embedded';
import { externalSourcesApi } from '@albedo/contract/external-sources/external-sources.api';
import { connectAsync } from 'mqtt';
import { expect, test } from 'vitest';
import { newDatabase } from '../apps/cloud/src/testing/two-clouds.ts';
import { freePort } from '../scripts/testing/engines.ts';
import { hasMosquitto, mosquittoFor } from './harness/mosquitto.ts';
import { Program, until } from './harness/processes.ts';
import { Cloud } from './harness/product.ts';

const databaseUrl = process.env.ALBEDO_TEST_DATABASE_URL;
const redisUrl = process.env.ALBEDO_TEST_REDIS_URL;
const canRun = databaseUrl && redisUrl && hasMosquitto;
if (!canRun)
  console.log('Skipped: processes that share brokers, which needs PostgreSQL, Redis and Mosquitto.');

const log = { info: () => {}, warn: () => {} };
const FIRST = Date.UTC(2026, 0, 1);
const COUNT = 'SELECT count(), uniqExact(event_time) FROM telemetry.events FINAL WHERE tbl = {table:String}';

test.runIf(canRun)(
  'the other process goes on when one is killed, and nothing is stored twice',
  {
    timeout: 600_000,
  },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'albedo-brokers-'));
    const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
    try {
      const engine = await startEmbeddedClickHouse({ dataDir: join(folder, 'telemetry'), log });
      stops.push(() => engine.stop());
      const clickhouse = connectClickHouse(engine);
      stops.push(() => clickhouse.close());
      const [mqttPort, port] = [await freePort(), await freePort()];
      const own = await mosquittoFor(join(folder, 'api'), join(folder, 'own'), mqttPort);
      writeFileSync(join(folder, 'theirs.conf'), `listener ${port} 127.0.0.1\nallow_anonymous true\n`);
      const theirs = new Program('theirs', ['-c', join(folder, 'theirs.conf')], {}, '/usr/sbin/mosquitto');
      for (const broker of [own, theirs]) {
        broker.start();
        stops.push(() => broker.end('SIGTERM'));
      }
      const { username, password } = engine;
      const env = {
        DATABASE_URL: await newDatabase(databaseUrl ?? ''),
        REDIS_URL: redisUrl ?? '',
        CLICKHOUSE_URL: Object.assign(new URL(engine.url), { username, password }).href,
        MQTT_URL: `mqtts://localhost:${mqttPort}`,
        ALBEDO_OUTBOUND_NETWORKS: '127.0.0.0/8',
      };
      const start = async (name: string, ALBEDO_ROLES: string) => {
        const place = { data: join(folder, name), httpPort: await freePort(), mqttPort };
        const cloud = new Cloud({ ...place, env: { ...env, ALBEDO_ROLES } });
        stops.push(() => cloud.program.end('SIGKILL'));
        await cloud.start();
        return cloud;
      };
      const api = await start('api', 'api');
      const wg = await api.signIn();
      const workers = await Promise.all([start('one', 'jobs'), start('two', 'jobs')]);
      const output = () => workers.map(({ program }) => program.output).join('\n----\n');
      await api.api.call(externalSourcesApi.create, {
        params: { wg },
        body: {
          name: 'Plain',
          kind: 'mqtt',
          subscription: { address: `mqtt://127.0.0.1:${port}`, topics: ['plant/+/state'] },
          mapping: {
            table: 'heard',
            source: 'device',
            timeColumn: 'time',
            timeFormat: 'epoch_ms',
            fields: [{ column: 'n', name: 'n', type: 'integer' }],
          },
        },
      });
      await until(
        'a process stays with the broker',
        60,
        async () =>
          (await api.api.call(externalSourcesApi.list, { params: { wg } }))[0]?.connection?.isConnected,
        output,
      );
      const device = await connectAsync(`mqtt://127.0.0.1:${port}`);
      stops.push(() => device.endAsync(true));
      let sent = 0;
      const say = async (count: number) => {
        for (const end = sent + count; sent < end; sent++)
          await device.publishAsync('plant/a/state', JSON.stringify({ time: FIRST + sent * 1000, n: sent }), {
            qos: 1,
          });
      };
      const stored = async () => {
        const [row] = await clickhouse.queryRows<[string, string]>(COUNT, { params: { table: 'heard' } });
        return row?.map(Number) ?? [];
      };
      const allStored = () =>
        until(`${sent} are stored`, 90, async () => (await stored())[0] === sent, output);
      await say(100);
      await allStored();
      for (const { program, ready } of workers.map((one) => ({
        program: one.program,
        ready: () => one.ready(),
      }))) {
        const killed = say(200);
        await program.end('SIGKILL');
        await killed;
        await say(50);
        // Whichever of them had the lease, the other one has it within its time.
        await allStored();
        program.start();
        await ready();
      }
      expect(await stored()).toEqual([sent, sent]);
    } finally {
      for (const stop of stops.reverse()) await stop();
    }
  },
);
