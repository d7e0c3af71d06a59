import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const DAY = 86_400_000;
let cloud: TestCloud;
let owner = '';
let roof = '';
let hill = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.owner();
  const add = async (name: string, value: number) => {
    const { id } = (await cloud.call('POST', 'devices/main', { token: owner, body: { name } })).body;
    const stream = {
      table: 'inverter',
      source: 'one',
      fields: [{ name: 'power', type: 'decimal' as const }],
    };
    const rows: [number, number, number][] = [[1, Date.now() - 60_000, value]];
    await cloud.cloud.features.telemetry
      .asSystem('ingest')
      .insert([{ workgroup: 'main', device: id, stream, rows }], randomUUID());
    return id;
  };
  roof = await add('Roof', 11);
  hill = await add('Hill', 22);
});
afterAll(() => cloud.stop());

const SEARCH = { name: 'Power', table: 'inverter', csv: { enabled: true, fields: ['device', 'power'] } };
const DAILY = { timezone: 'Europe/Rome', recipients: ['one@example.com', 'two@example.com'] };

async function schedule(token: string, { search = SEARCH as object, when = DAILY as object } = {}) {
  const { _id } = (await cloud.call('POST', 'searches/main', { token, body: search })).body;
  const path = `searches/main/${_id}/schedule`;
  const { status, body } = await cloud.call('PUT', path, { token, body: when });
  expect(status).toBe(200);
  return { path, nextAt: body.nextAt as number };
}

/** Lets everything become due that is within so much time, and answers the mails that came of it. */
async function mailsAt(now: number): Promise<{ to: string; file: string }[]> {
  const { searches, jobs, mailer } = cloud.cloud.features;
  const known = new Set(await files());
  await Promise.all([searches.takeDue(now), searches.takeDue(now)]);
  await searches.takeDue(now);
  await jobs.idle(searches.mailing);
  await mailer.idle();
  const made = (await files()).filter((name) => !known.has(name));
  return Promise.all(
    made.map(async (name) => parse(await readFile(join(cloud.dataDir, 'outbox', name), 'utf8'))),
  );
}

const files = () => readdir(join(cloud.dataDir, 'outbox')).catch(() => [] as string[]);

function parse(eml: string): { to: string; file: string } {
  const [, part = ''] = /filename=[^\r]*\r\n(?:[^\r]+\r\n)*\r\n([\s\S]*?)\r\n--/.exec(eml) ?? [];
  return { to: /^To: (.*)$/m.exec(eml)?.[1]?.trim() ?? '', file: Buffer.from(part, 'base64').toString() };
}

test('a due search is mailed once to all, and is due again a day later', async () => {
  const { path, nextAt } = await schedule(owner);
  const [mail, ...others] = await mailsAt(nextAt);
  expect(others).toEqual([]);
  expect(mail?.to).toBe('one@example.com, two@example.com');
  expect(mail?.file.split('\r\n').toSorted()).toEqual(
    ['', `${hill},22`, `${roof},11`, 'device,power'].toSorted(),
  );
  const { body } = await cloud.call('GET', path, { token: owner });
  expect(body).toMatchObject({ enabled: true, sentRecords: 2, stopped: null });
  expect(body.nextAt).toBeGreaterThan(nextAt + 22 * 3_600_000);
  // Days that nobody was there for count once.
  expect(await mailsAt(nextAt + 5 * DAY)).toHaveLength(1);
  expect((await cloud.call('DELETE', path, { token: owner })).status).toBe(200);
  expect(await mailsAt(nextAt + 9 * DAY)).toEqual([]);
});

test('a mail has what its owner can see when it is made, and none comes when they have gone', async () => {
  const body = { name: 'Roofs', composition: { type: 'IN', devices: [roof] } };
  const { _id: devGroup } = (await cloud.call('POST', 'orgs/main/device-groups', { token: owner, body }))
    .body;
  const ann = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  const { nextAt, path } = await schedule(ann);
  const { workgroups, sessions } = cloud.cloud.features;
  const { _id: annId } = await sessions.verify(ann);
  await workgroups.setMember('main', annId, { role: 'readonly', permissions: ['read'], devGroup });
  const [mail] = await mailsAt(nextAt);
  expect(mail?.file).toBe(`device,power\r\n${roof},11\r\n`);
  const gone = await cloud.call('DELETE', `orgs/main/members/${annId}`, { token: owner });
  expect(gone.status).toBe(200);
  expect(await mailsAt(nextAt + 2 * DAY)).toEqual([]);
  await workgroups.setMember('main', annId, { role: 'readonly', permissions: ['read'] });
  const again = await sessions.issue((await cloud.cloud.features.users.user(annId)) as never);
  expect((await cloud.call('GET', path, { token: again })).body).toMatchObject({
    enabled: false,
    nextAt: null,
    stopped: 'search',
  });
});

test('a search of a table that needs a permission stops when its owner has lost it', async () => {
  const bob = await cloud.newUser({ main: { role: 'power', permissions: ['read', 'audit'] } });
  const search = { name: 'Log', table: 'audit_logs', csv: { enabled: true, fields: ['action'] } };
  await cloud.cloud.features.audit.flush();
  const { nextAt, path } = await schedule(bob, { search });
  expect(await mailsAt(nextAt)).toHaveLength(1);
  const { workgroups, sessions } = cloud.cloud.features;
  const { _id } = await sessions.verify(bob);
  await workgroups.setMember('main', _id, { role: 'power', permissions: ['read'] });
  expect(await mailsAt(nextAt + 2 * DAY)).toEqual([]);
  expect((await cloud.call('GET', path, { token: bob })).body.stopped).toBe('table');
});

test('a search without CSV is not mailed, and what is wrong with a schedule is said by its place', async () => {
  const body = { ...SEARCH, csv: { enabled: false } };
  const { _id } = (await cloud.call('POST', 'searches/main', { token: owner, body })).body;
  const path = `searches/main/${_id}/schedule`;
  const set = (change: object) => cloud.call('PUT', path, { token: owner, body: { ...DAILY, ...change } });
  expect(await set({})).toMatchObject({ status: 409, body: { error: 'saved_search.no_csv' } });
  expect((await cloud.call('GET', path, { token: owner })).status).toBe(404);
  for (const [change, where] of [
    [{ hour: 24 }, 'hour'],
    [{ timezone: 'Nowhere' }, 'timezone'],
    [{ recipients: [] }, 'recipients'],
    [{ recipients: ['a@example.com', 'A@example.com'] }, 'recipients.1'],
    [{ recipients: ['nobody'] }, 'recipients.0'],
  ] as const) {
    const { status, body: refused } = await set(change);
    expect(status).toBe(400);
    expect(refused.issues.map((one: { path: string }) => one.path)).toEqual([where]);
  }
});
