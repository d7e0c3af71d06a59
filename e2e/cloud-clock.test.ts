/** The clock of the cloud jumps, by hours and days, while devices send: nothing is lost or doubled. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sessionsApi } from '@albedo/contract/sessions/sessions.api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../scripts/testing/engines.ts';
import { until } from './harness/processes.ts';
import { Cloud, EdgeAgent } from './harness/product.ts';
import { OWNER } from './owner.ts';

const HEADER = 'Datetime(date),count(integer)';
const AT = { table: 'counter', source: 'pump', field: 'count' };
const HOUR = 3_600_000;

const folder = mkdtempSync(join(tmpdir(), 'albedo-cloud-clock-'));
const clock = join(folder, 'clock');
const wrongClock = pathToFileURL(join(import.meta.dirname, 'harness/wrong-clock.mjs')).href;
let cloud: Cloud;
let agent: EdgeAgent;
let wg = '';
let written = 0;

const write = (lines: number) => {
  for (let line = 0; line < lines; line++)
    agent.write(AT.table, AT.source, HEADER, `${new Date().toISOString()},${++written}`);
};
const stored = () => cloud.stored({ ...AT, wg, device: agent.device.id });
const output = () => `${cloud.program.output}\n${agent.program.output}`;
const arrives = async () => {
  await until('everything is stored', 60, async () => (await stored()).length >= written, output);
  expect(await stored()).toEqual(Array.from({ length: written }, (_, index) => index + 1));
};

beforeAll(async () => {
  writeFileSync(clock, '0');
  const [httpPort, mqttPort] = [await freePort(), await freePort()];
  const env = { NODE_OPTIONS: `--import ${wrongClock}`, FAULT_CLOCK: clock };
  cloud = new Cloud({ data: join(folder, 'data'), httpPort, mqttPort, env });
  await cloud.start();
  wg = await cloud.signIn();
  agent = await EdgeAgent.install(cloud, wg, 'edge', folder);
  agent.program.start();
  write(20);
  await arrives();
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
    write(40);
    await arrives();
  }
  const { gaps } = await until(
    'the ledger has it',
    60,
    async () => {
      const ledger = await cloud.completeness(wg, agent.device.id);
      const counter = ledger.streams.find(({ table }) => table === AT.table);
      return counter?.captured === written && counter.stored === written && ledger;
    },
    output,
  );
  expect(gaps).toEqual([]);
});
