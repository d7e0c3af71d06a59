/**
 * Two processes may keep the cloud devices of an installation. The one that does is paused, and then the other one is killed:
 * each time the device goes on elsewhere, there are never two agents of it, and every line that its plant writes is stored once.
 */
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedClickHouse } from '@albedo/clickhouse/embedded';
import { devicesApi } from '@albedo/contract/devices/devices.api';
import { addonsApi } from '@albedo/contract/workgroups/addons.api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newDatabase } from '../apps/cloud/src/testing/two-clouds.ts';
import { freePort } from '../scripts/testing/engines.ts';
import { hasMosquitto, mosquittoFor } from './harness/mosquitto.ts';
import { until } from './harness/processes.ts';
import { Cloud } from './harness/product.ts';
import { OWNER } from './owner.ts';

const databaseUrl = process.env.ALBEDO_TEST_DATABASE_URL;
const redisUrl = process.env.ALBEDO_TEST_REDIS_URL;
if (!databaseUrl || !redisUrl || !hasMosquitto)
  console.log('Skipped: who keeps cloud devices, which needs PostgreSQL, Redis and Mosquitto.');

const log = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };
/** Each step; a takeover is a lease of 30 s, a look every five, and the start of an agent. A busy machine takes longer. */
const STEP_S = 180;

describe.runIf(databaseUrl && redisUrl && hasMosquitto)('two processes that may keep a cloud device', () => {
  let folder = '';
  let api: Cloud;
  let keepers: Cloud[] = [];
  let wg = '';
  let device = '';
  let count = 0;
  let most = 0;
  let timers: NodeJS.Timeout[] = [];
  const stops: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'albedo-takeover-'));
    const engine = await startEmbeddedClickHouse({ dataDir: join(folder, 'telemetry'), log });
    stops.push(() => engine.stop());
    const telemetry = new URL(engine.url);
    Object.assign(telemetry, { username: engine.username, password: engine.password });
    const mqttPort = await freePort();
    const mosquitto = await mosquittoFor(join(folder, 'api'), join(folder, 'mosquitto'), mqttPort);
    mosquitto.start();
    stops.push(() => mosquitto.end('SIGTERM'));
    const env = {
      DATABASE_URL: await newDatabase(databaseUrl ?? ''),
      REDIS_URL: redisUrl ?? '',
      CLICKHOUSE_URL: telemetry.href,
      MQTT_URL: `mqtts://localhost:${mqttPort}`,
      ALBEDO_STAFF_DOMAINS: 'albedo.local',
      ALBEDO_ADDON_MANAGERS: OWNER.email,
      ALBEDO_OUTBOUND_NETWORKS: '127.0.0.1',
    };
    const start = async (name: string, roles: string) => {
      // Both have the folders of their devices on one disk.
      mkdirSync(join(folder, 'shared'), { recursive: true });
      mkdirSync(join(folder, name), { recursive: true });
      symlinkSync(join(folder, 'shared'), join(folder, name, 'cloud-devices'));
      const at = { data: join(folder, name), httpPort: await freePort(), mqttPort };
      const cloud = new Cloud({ ...at, env: { ...env, ALBEDO_ROLES: roles } });
      stops.push(async () => {
        cloud.program.signal('SIGCONT');
        await cloud.program.end('SIGKILL');
      });
      await cloud.start();
      return cloud;
    };
    api = await start('api', 'api,ingest');
    wg = await api.signIn();
    keepers = [await start('one', 'jobs'), await start('two', 'jobs')];
    await api.api.call(addonsApi.add, { params: { wg }, body: { id: 'ced' } });
    const body = { name: 'In the cloud', ced: true, cedCloudId: 'server' };
    device = (await api.api.call(devicesApi.create, { params: { wg }, body })).id;
  }, 300_000);
  afterAll(async () => {
    for (const timer of timers) clearInterval(timer);
    for (const step of stops.reverse()) await step();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  const output = () => keepers.map(({ program }) => program.output.slice(-2000)).join('\n----\n');
  /** The processes of its agent, each with the process that began it. */
  const agents = (): { pid: number; keeper: number }[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
          if (!words.some((word) => word.endsWith(`cloud-devices/${device}`)) || !words.includes('--root'))
            return [];
          const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
          const [state, keeper] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
          return state === 'Z' ? [] : [{ pid: Number(name), keeper: Number(keeper) }];
        } catch {
          // It ended while it was looked at.
          return [];
        }
      });
  const keeper = () => keepers.find(({ program }) => agents().some((one) => one.keeper === program.pid));
  const stored = () => api.stored({ wg, table: 'counter', device, source: 'pump', field: 'count' });

  it('goes on with its device when the other one is paused or killed, never twice, and loses and doubles nothing', async () => {
    const first = await until('one of them runs the device', STEP_S, async () => keeper(), output);
    const logs = join(folder, 'shared', device, 'opt/albedo/logs/counter/pump');
    mkdirSync(logs, { recursive: true });
    const file = join(logs, 'latest.csv');
    appendFileSync(file, '# Datetime(date),count(integer)\n');
    const write = () => appendFileSync(file, `${new Date().toISOString()},${++count}\n`);
    timers = [
      setInterval(write, 200),
      setInterval(() => {
        most = Math.max(most, agents().length);
      }, 50),
    ];
    await until('its lines are stored', STEP_S, async () => (await stored()).length > 0, output);

    const other = keepers.find((one) => one !== first);
    first.program.signal('SIGSTOP');
    await until('the other one runs it', STEP_S, async () => keeper() === other, output);
    const taken = count;
    await until('lines of now are stored', STEP_S, async () => (await stored()).includes(taken), output);

    first.program.signal('SIGCONT');
    await other?.program.end('SIGKILL');
    await until('the first one runs it again', STEP_S, async () => keeper() === first, output);
    const back = count;
    await until('lines of now are stored', STEP_S, async () => (await stored()).includes(back), output);
    for (const timer of timers) clearInterval(timer);

    const all = Array.from({ length: count }, (_, at) => at + 1);
    await until('every line is stored', STEP_S, async () => (await stored()).length >= count, output);
    expect(await stored()).toEqual(all);
    expect(most).toBe(1);
    expect(agents()).toHaveLength(1);
  }, 1_300_000);
});
