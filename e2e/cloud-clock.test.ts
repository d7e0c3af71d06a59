/** The clock of the cloud jumps, by hours and days, while devices send: nothing is lost or doubled. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sessionsApi } from '@albedo/contract/sessions/sessions.api';
import { afterAll, beforeAll, test } from 'vitest';
import { freePort } from '../scripts/testing/engines.ts';
import { Counter } from './harness/counter.ts';
import { until } from './harness/processes.ts';
import { Cloud, EdgeAgent } from './harness/product.ts';
import { OWNER } from './owner.ts';

const HOUR = 3_600_000;

const folder = mkdtempSync(join(tmpdir(), 'albedo-cloud-clock-'));
const clock = join(folder, 'clock');
const wrongClock = pathToFileURL(join(import.meta.dirname, 'harness/wrong-clock.mjs')).href;
let cloud: Cloud;
let agent: EdgeAgent;
let counter: Counter;

beforeAll(async () => {
  writeFileSync(clock, '0');
  const [httpPort, mqttPort] = [await freePort(), await freePort()];
  const env = { NODE_OPTIONS: `--import ${wrongClock}`, FAULT_CLOCK: clock };
  cloud = new Cloud({ data: join(folder, 'data'), httpPort, mqttPort, env });
  await cloud.start();
  const wg = await cloud.signIn();
  agent = await EdgeAgent.install(cloud, wg, 'edge', folder);
  agent.program.start();
  counter = new Counter(cloud, agent, wg);
  counter.write(20);
  await counter.isStored();
}, 120_000);
afterAll(async () => {
  await agent?.program.end('SIGTERM');
  await cloud?.program.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

test('what devices send is stored once whatever the time is said to be, and people sign in', {
  timeout: 240_000,
}, async () => {
  // Back by more than a day, forth by more than any session lasts, and right again at last.
  for (const hours of [2, -26, 50 * 24, -3, 0]) {
    writeFileSync(clock, String(hours * HOUR));
    await until('sessions are of that time', 20, async () => {
      const { token } = await cloud.api.call(sessionsApi.login, { body: OWNER });
      const { iat } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
      return Math.abs(iat * 1000 - Date.now() - hours * HOUR) < 60_000;
    });
    await cloud.signIn();
    counter.write(40);
    await counter.isStored();
  }
  await counter.isInLedger();
});
