/** Certificates of devices are replaced, machines take the place of others, and devices move, with the real agent. */
import { execFile } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { searchQuery } from '@albedo/contract/telemetry/search.schema';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  auditOf,
  buildAgent,
  OWNER,
  startTestCloud,
  type TestCloud,
} from '../apps/cloud/src/testing/test-cloud.ts';
import { confirmed } from './harness/confirmed.ts';
import { type RealAgent, startRealAgent } from './harness/real-agent.ts';

let cloud: TestCloud;
const agents: RealAgent[] = [];
const TAIL = `machine: false
tail: [{table: lines, source: s, file: /lines, expect: csv, from: start, fields: [{name: n, expect: integer}]}]
`;

beforeAll(async () => {
  cloud = await startTestCloud();
  buildAgent(cloud);
  const { workgroups, users } = cloud.cloud.features;
  const owner = await users.userByEmail(OWNER.email);
  await workgroups.ensure({ name: 'south', displayName: 'South' });
  await workgroups.ensure({ name: 'closed', displayName: 'Closed' });
  await workgroups.setMember('south', owner?.id ?? '', {
    role: 'owner',
    permissions: ['read'],
    devGroup: null,
  });
});
afterAll(async () => {
  for (const agent of agents) await agent.stop();
  await cloud?.stop();
});

const run = promisify(execFile);
const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 40_000, interval: 200 });

async function agentNamed(name: string): Promise<RealAgent> {
  // A second try of a test meets the devices of the first one.
  const agent = await startRealAgent(cloud, `${name} ${agents.length}`, TAIL);
  agents.push(agent);
  return agent;
}

let next = 0;
/** Lines that the agent captures: numbers that were not there before. */
function capture(agent: RealAgent, count: number): number[] {
  const lines = Array.from({ length: count }, () => ++next);
  appendFileSync(join(agent.root, 'lines'), lines.map((n) => `${n}\n`).join(''));
  return lines;
}

async function post(path: string, body: object): Promise<{ status: number; body: never }> {
  return cloud.call('POST', path, { token: await confirmed(cloud, 0), body }) as never;
}

async function stored(workgroup: string, device: string): Promise<number[]> {
  const filters = [{ field: 'device', operator: '=', value: device }];
  const query = searchQuery.parse({ sort: 'n', rows: 1000, filters });
  const { telemetry } = cloud.cloud.features;
  try {
    const { records } = await telemetry.asSystem('export', workgroup).search('lines', query);
    return records.map(({ n }) => Number(n));
  } catch (error) {
    // Before the first line there is no such table.
    if ((error as { error?: string }).error === 'table.not_found') return [];
    throw error;
  }
}

const serialOf = (agent: RealAgent) => cloud.cloud.features.certificates.newest(agent.device.id)?.serial;
const keyOf = (agent: RealAgent) => readFileSync(join(agent.root, 'etc/albedo/keys/client.key'), 'utf8');

test('a connected device gets another certificate for a key of its own, and loses nothing', async () => {
  const agent = await agentNamed('Roof');
  const { id } = agent.device;
  const before = serialOf(agent);
  const oldKey = keyOf(agent);
  const lines = capture(agent, 50);
  const work = post(`devices/main/${id}/reissue`, { action: 'replace' });
  lines.push(...capture(agent, 50));
  const { status, body } = await work;
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({ action: 'replace', deviceId: id, certificate: { serial: serialOf(agent) } });
  expect(serialOf(agent)).not.toBe(before);
  expect(keyOf(agent)).not.toBe(oldKey);
  expect(JSON.stringify(body)).not.toContain('PRIVATE');
  expect(cloud.cloud.features.certificates.isRevoked(before ?? '')).toBe(true);
  lines.push(...capture(agent, 50));
  await until(async () => expect(await stored('main', id)).toEqual(lines));
  expect(cloud.cloud.features.ledger.completeness(id).gaps).toEqual([]);
  const audit = await auditOf(cloud, 'main');
  expect(
    audit.some(
      ({ attribute, new_value }) => attribute === 'certificate' && `${new_value}`.startsWith('replace '),
    ),
  ).toBe(true);
}, 120_000);

test('a device whose certificate is no longer good comes back with new keys from the one-time command', async () => {
  const agent = await agentNamed('Cellar');
  const { id } = agent.device;
  await post(`devices/main/${id}/revoke`, {});
  const { health } = cloud.cloud.features;
  await until(() => expect(health.of(id).online).toBe(false));
  const { body } = await post(`devices/main/${id}/reissue`, { action: 'certpack' });
  const { command } = body as { command: string };
  const here = command.replace('-C /', `-C ${agent.root}`).replace('$(command -v sudo)', '');
  expect(here).not.toBe(command);
  await run('/bin/bash', ['-c', here]);
  await expect(run('/bin/bash', ['-c', here])).rejects.toThrow();
  await until(() => expect(health.of(id).online).toBe(true));
  const lines = capture(agent, 10);
  await until(async () => expect(await stored('main', id)).toEqual(lines));
}, 120_000);

test('a device in quarantine is cut off with its certificate kept, and sends everything once it is released', async () => {
  const agent = await agentNamed('Shed');
  const { id } = agent.device;
  const { health, ledger } = cloud.cloud.features;
  const before = serialOf(agent);
  const lines = capture(agent, 20);
  await until(async () => expect(await stored('main', id)).toEqual(lines));
  const change = async (method: 'PUT' | 'DELETE', body?: object) =>
    cloud.call(method, `devices/main/${id}/quarantine`, {
      token: await confirmed(cloud, 0),
      ...(body && { body }),
    });

  const held = await change('PUT', { reason: '  Seen on a market ' });
  expect(held).toMatchObject({
    status: 200,
    body: { online: false, quarantine: { by: OWNER.email, reason: 'Seen on a market' } },
  });
  const kept = capture(agent, 20);
  await until(() => expect(agent.program.output).toMatch(/no connection to .* refused the certificate/));
  expect(health.of(id).online).toBe(false);
  expect(await stored('main', id)).toEqual(lines);
  // Its keys made anew do not let it in either, and nobody takes its place.
  const spare = await agentNamed('Other shed');
  await until(() => expect(health.of(spare.device.id).online).toBe(true));
  const place = { workgroupId: 'main', deviceId: id };
  const taken = await post(`devices/main/${spare.device.id}/identity`, place);
  expect([taken.status, JSON.stringify(taken.body)]).toEqual([
    409,
    expect.stringContaining('is in quarantine'),
  ]);

  expect(await change('DELETE')).toMatchObject({ status: 200, body: { quarantine: null } });
  await until(async () => expect(await stored('main', id)).toEqual([...lines, ...kept]));
  expect(serialOf(agent)).toBe(before);
  expect(ledger.completeness(id).gaps).toEqual([]);
  const audit = await auditOf(cloud, 'main');
  const done = audit
    .filter(({ device }) => device === id)
    .map(({ action, new_value }) => [action, new_value]);
  expect(done).toContainEqual(['quarantine', 'Seen on a market']);
  expect(done.map(([action]) => action)).toContain('release');
}, 120_000);

test('a new machine goes on as the device that it replaces: one history, no gap', async () => {
  const old = await agentNamed('Gatehouse');
  const spare = await agentNamed('Spare');
  const lines = capture(old, 20);
  await until(async () => expect(await stored('main', old.device.id)).toEqual(lines));
  const path = `devices/main/${spare.device.id}/identity`;
  const place = { workgroupId: 'main', deviceId: old.device.id };
  const busy = await post(path, place);
  expect([busy.status, JSON.stringify(busy.body)]).toEqual([
    409,
    expect.stringContaining(`${old.device.name} is connected`),
  ]);
  await old.program.end('SIGKILL');
  const { health, ledger } = cloud.cloud.features;
  await until(() => expect(health.of(old.device.id).online).toBe(false));
  const own = capture(spare, 20);
  await until(async () => expect(await stored('main', spare.device.id)).toEqual(own));
  const { status, body } = await post(path, place);
  expect(status, JSON.stringify(body)).toBe(200);
  lines.push(...capture(spare, 20));
  await until(async () => expect(await stored('main', old.device.id)).toEqual(lines));
  expect(await stored('main', spare.device.id)).toEqual(own);
  expect(ledger.completeness(old.device.id).gaps).toEqual([]);
  expect(health.of(spare.device.id).online).toBe(false);
  const itself = await post(`devices/main/${old.device.id}/identity`, place);
  expect(itself.status).toBe(400);
}, 120_000);

test('a device moves to another workgroup as a new one; its history stays', async () => {
  const agent = await agentNamed('Hut');
  const { id } = agent.device;
  const { devices, health, ledger } = cloud.cloud.features;
  const setting = { token: await confirmed(cloud, 0), body: { value: { Site: 'Hill' } } };
  expect((await cloud.call('PUT', `devices/main/${id}/settings/info`, setting)).status).toBe(200);
  const here = capture(agent, 20);
  await until(async () => expect(await stored('main', id)).toEqual(here));
  for (const workgroupId of ['closed', 'nowhere', 'main'])
    expect((await post(`devices/main/${id}/moveWorkgroup`, { workgroupId })).status).toBe(404);
  const { status, body } = await post(`devices/main/${id}/moveWorkgroup`, { workgroupId: 'south' });
  expect(status, JSON.stringify(body)).toBe(200);
  const { deviceId, workgroupId } = body as { deviceId: string; workgroupId: string };
  expect(workgroupId).toBe('south');
  const there = capture(agent, 20);
  await until(async () => expect(await stored('south', deviceId)).toEqual(there));
  expect(await stored('main', id)).toEqual(here);
  expect(await stored('south', id)).toEqual([]);
  expect(health.of(id).online).toBe(false);
  expect(ledger.completeness(deviceId).gaps).toEqual([]);
  const moved = await devices.row('south', deviceId);
  expect(moved).toMatchObject({ name: agent.device.name, settings: { info: { Site: 'Hill' } } });
  for (const workgroup of ['main', 'south'])
    expect(await auditOf(cloud, workgroup)).toContainEqual(
      expect.objectContaining({
        ...{ action: 'move', attribute: 'workgroup.deviceId' },
        ...{ old_value: `main.${id}`, new_value: `south.${deviceId}` },
      }),
    );
}, 120_000);

test('a device that cannot keep its new certificate goes on with the old one', async () => {
  const agent = await agentNamed('Attic');
  const { id } = agent.device;
  const before = serialOf(agent);
  // What the new certificate would be kept under is a folder.
  mkdirSync(join(agent.root, 'etc/albedo/keys/client.crt.next'));
  const { status } = await post(`devices/main/${id}/reissue`, { action: 'replace' });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(serialOf(agent)).toBe(before);
  const lines = capture(agent, 10);
  await until(async () => expect(await stored('main', id)).toEqual(lines));
}, 120_000);

test('certificates of many devices are replaced, those that are offline when they are back', async () => {
  const [here, away] = [await agentNamed('Barn'), await agentNamed('Mill')];
  const { devices, health } = cloud.cloud.features;
  const serialOf = ({ device }: RealAgent) => devices.packs.certificate(device.id)?.serial;
  const before = [here, away].map(serialOf);
  await away.program.end('SIGTERM');
  await until(() => expect(health.of(away.device.id).online).toBe(false));
  const ids = [here.device.id, away.device.id];
  const soon = await post('bulk-actions/main/certificates', {
    devices: ids,
    endsWithinDays: 60,
    isDryRun: true,
  });
  const all = await post('bulk-actions/main/certificates', { devices: ids, isDryRun: true });
  const rows = (of: { body: never }) => (of.body as { preview: { before: string; after: string }[] }).preview;
  expect(rows(soon)[0]?.after).toBe(rows(soon)[0]?.before);
  expect(rows(all)).toMatchObject([
    {
      before: expect.stringContaining(before[0] ?? ''),
      after: expect.stringMatching(/^…, 20/),
      problem: null,
    },
    { problem: { error: 'device.offline' } },
  ]);
  expect([here, away].map(serialOf)).toEqual(before);

  const begun = await post('bulk-actions/main/certificates', { devices: ids });
  const id = (begun.body as { action: { _id: string } }).action._id;
  const token = await confirmed(cloud, 0);
  const told = async () => {
    const { counts, targets } = (await cloud.call('GET', `bulk-actions/main/${id}`, { token })).body;
    return { ...counts, messages: targets.map(({ message }: { message: string }) => message) };
  };
  await expect.poll(told, { timeout: 60_000 }).toMatchObject({ done: 1, queued: 1 });
  expect(serialOf(here)).not.toBe(before[0]);
  expect(serialOf(away)).toBe(before[1]);
  away.program.start();
  await expect.poll(told, { timeout: 60_000 }).toMatchObject({ done: 2, queued: 0, failed: 0 });
  expect(serialOf(away)).not.toBe(before[1]);
  const lines = capture(away, 3);
  await until(async () => expect(await stored('main', away.device.id)).toEqual(lines));
}, 180_000);
