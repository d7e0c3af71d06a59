/**
 * The whole cloud on servers: Debian's PostgreSQL, Redis and Mosquitto in place of what is embedded. Addresses of the
 * first two are in `ALBEDO_TEST_DATABASE_URL` and `ALBEDO_TEST_REDIS_URL`; the test command sets them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { devicesApi } from '@albedo/contract/devices/devices.api';
import { openPostgres } from '@albedo/postgres/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserSocket } from '../apps/cloud/src/testing/browser-socket.ts';
import { freePort } from '../scripts/testing/engines.ts';
import { hasMosquitto, mosquittoFor } from './harness/mosquitto.ts';
import { type Program, until } from './harness/processes.ts';
import { Cloud, EdgeAgent } from './harness/product.ts';

const databaseUrl = process.env.ALBEDO_TEST_DATABASE_URL;
const redisUrl = process.env.ALBEDO_TEST_REDIS_URL;
if (!databaseUrl)
  console.log('Skipped: the served cloud, because ALBEDO_TEST_DATABASE_URL names no PostgreSQL.');
if (!redisUrl) console.log('Skipped: the served cloud, because ALBEDO_TEST_REDIS_URL names no Redis.');

const HEADER = 'Datetime(date),count(integer)';

describe.runIf(databaseUrl && redisUrl && hasMosquitto)(
  'PostgreSQL, Redis and Mosquitto together',
  { timeout: 150_000 },
  () => {
    let folder = '';
    let mosquitto: Program;
    let cloud: Cloud;
    let wg = '';
    let agent: EdgeAgent;
    let count = 0;

    const writeOne = () => agent.write('counter', 'pump', HEADER, `${new Date().toISOString()},${++count}`);
    const isOnline = async () => {
      const device = await cloud.api.call(devicesApi.get, { params: { wg, device: agent.device.id } });
      return device.facts.online;
    };
    /** What the device sends reaches nobody, and the log says why. */
    const expectUnheard = async (why: string) => {
      expect(await isOnline()).toBe(false);
      const at = { wg, table: 'counter', device: agent.device.id, source: 'pump', field: 'count' };
      const before = (await cloud.stored(at)).length;
      writeOne();
      const isTold = async () => cloud.program.output.includes(`not listened to: ${why}`);
      await until('the agent has read the line', 10, isTold, output);
      expect(await isOnline()).toBe(false);
      expect((await cloud.stored(at)).length).toBe(before);
    };
    const output = () => [cloud.program.output, agent?.program.output].join('\n');

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'albedo-served-'));
      const name = `albedo_${crypto.randomUUID().replaceAll('-', '')}`;
      const log = { info: () => {}, error: () => {} };
      const server = await openPostgres({ url: databaseUrl, dataDir: folder, log });
      await server.exec(`CREATE DATABASE ${name}`);
      await server.close();
      const database = new URL(databaseUrl ?? '');
      database.pathname = `/${name}`;
      const data = join(folder, 'data');
      const mqttPort = await freePort();
      mosquitto = await mosquittoFor(data, join(folder, 'mosquitto'), mqttPort);
      mosquitto.start();
      cloud = new Cloud({
        data,
        httpPort: await freePort(),
        mqttPort,
        env: {
          DATABASE_URL: database.href,
          REDIS_URL: redisUrl ?? '',
          MQTT_URL: `mqtts://localhost:${mqttPort}`,
        },
      });
      await cloud.start();
      wg = await cloud.signIn();
      agent = await EdgeAgent.install(cloud, wg, 'edge', folder);
      agent.program.start();
    }, 120_000);
    afterAll(async () => {
      await agent?.program.end('SIGTERM');
      await cloud?.program.end('SIGTERM');
      await mosquitto?.end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    });

    it('stores what a device captures, shows who is online, and counts it in the ledger', async () => {
      await until('the device is online', 30, isOnline, output);
      for (let line = 0; line < 50; line++) writeOne();
      await until(
        'all lines are stored',
        30,
        async () => {
          const { streams } = await cloud.completeness(wg, agent.device.id);
          return streams.some(
            ({ table, stored, captured }) => table === 'counter' && stored === 50 && captured === 50,
          );
        },
        output,
      );
      const at = { wg, table: 'counter', device: agent.device.id, source: 'pump', field: 'count' };
      expect(await cloud.stored(at)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
      expect((await cloud.completeness(wg, agent.device.id)).gaps).toEqual([]);
    });

    it('sends a live feed to a browser', async () => {
      const browser = await new BrowserSocket(cloud.base, {
        token: cloud.api.token,
        orgName: wg,
      }).connected();
      const samples: [number, { count: number }][] = [];
      const request = { deviceId: agent.device.id, table: 'counter', source: 'pump' };
      void browser.call('device:feed', request, ({ data }) => {
        samples.push(...((data as { events?: typeof samples } | null)?.events ?? []));
      });
      const before = count;
      await until(
        'a sample of the feed arrives',
        20,
        async () => {
          writeOne();
          return samples.some(([, values]) => values.count > before);
        },
        output,
      );
      browser.close();
    });

    it('has everything again after cloud and broker were killed', async () => {
      await Promise.all([cloud.program.end('SIGKILL'), mosquitto.end('SIGKILL')]);
      for (let line = 0; line < 50; line++) writeOne();
      mosquitto.start();
      await cloud.ready();
      await cloud.signIn();
      const at = { wg, table: 'counter', device: agent.device.id, source: 'pump', field: 'count' };
      const all = Array.from({ length: count }, (_, index) => index + 1);
      await until('every line is stored', 90, async () => (await cloud.stored(at)).length >= count, output);
      expect(await cloud.stored(at)).toEqual(all);
    });

    it('hears nothing of a device in quarantine, and gets what it kept once it is released', async () => {
      await until('the device is online', 30, isOnline, output);
      const params = { wg, device: agent.device.id };
      const at = { ...params, table: 'counter', source: 'pump', field: 'count' };
      await cloud.api.call(devicesApi.quarantine, { params, body: { reason: 'Stolen' } });
      await expectUnheard('it is in quarantine');
      await cloud.api.call(devicesApi.release, { params });
      await until('the device is online again', 30, isOnline, output);
      await until('the line is stored', 30, async () => (await cloud.stored(at)).length === count, output);
    });

    it('hears nothing more of a revoked device', async () => {
      await until('the device is online', 30, isOnline, output);
      await cloud.api.call(devicesApi.revoke, { params: { wg, device: agent.device.id } });
      await expectUnheard('its certificate was revoked');
    });
  },
);
