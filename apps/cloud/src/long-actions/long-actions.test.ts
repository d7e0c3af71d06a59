import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { LongAction } from '@albedo/contract/long-actions/long-actions.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { AppError } from '../errors/app-error.ts';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import type { LongActionKind, LongActionRun } from './long-action.ts';

type Input = { say: string };
type Work = (run: LongActionRun<Input>) => ReturnType<LongActionKind<Input>['run']>;

const dataDir = mkdtempSync(join(tmpdir(), 'albedo-long-'));
let cloud: TestCloud;
let ann = '';
let ben = '';
let staff = '';
let work: Work = async () => ({});
const testing: LongActionKind<Input> = {
  kind: 'test',
  input: z.object({ say: z.string() }),
  canCancel: true,
  run: (run) => work(run),
};
async function start(): Promise<void> {
  cloud = await startTestCloud({ ALBEDO_STAFF_DOMAINS: 'provider.example', ALBEDO_DATA: dataDir });
  cloud.cloud.features.longActions.add(testing);
}
beforeAll(async () => {
  await start();
  ann = await cloud.newUser({ one: { role: 'owner' } });
  ben = await cloud.newUser({ one: { role: 'owner' }, two: { role: 'owner' } });
  staff = await cloud.tokenOf('s@provider.example');
}, 60_000);
afterAll(async () => {
  await cloud.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const call = (method: string, path: string, token: string) => cloud.call(method, path, { token });

async function begin(token: string, workgroup: string | null, does: Work): Promise<LongAction> {
  work = does;
  const { _id: userId, email } = await cloud.cloud.features.sessions.verify(token);
  const by = { userId, email, address: '::1' };
  return cloud.cloud.features.longActions.begin(testing, { input: { say: 'hi' }, about: 'A', workgroup, by });
}
const get = async (id: string, token = ann): Promise<LongAction> =>
  (await call('GET', `long-actions/one/${id}`, token)).body;
const over = async (id: string): Promise<LongAction> => {
  await expect.poll(async () => (await get(id)).endedAt, { timeout: 10_000 }).not.toBeNull();
  return get(id);
};
/** Until it is cancelled or the process stops. */
const endless: Work = ({ signal, progress }) => {
  progress(0.25);
  return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
};

test('a long action tells its owner how far it is, and brings data and a file', async () => {
  const socket = await new BrowserSocket(cloud, { token: ann, orgName: 'one' }).connected();
  const other = await new BrowserSocket(cloud, { token: ben, orgName: 'one' }).connected();
  const heard: LongAction[] = [];
  const heardByOther: LongAction[] = [];
  socket.socket.on('long-action:changed', (one: LongAction) => heard.push(one));
  other.socket.on('long-action:changed', (one: LongAction) => heardByOther.push(one));
  const { id } = await begin(ann, 'one', async ({ input, progress }) => {
    progress(0.5);
    return {
      result: { said: input.say },
      file: { name: 'a.txt', type: 'text/plain', bytes: Readable.from([Buffer.from('hello')]) },
    };
  });
  const done = await over(id);
  expect(done).toMatchObject({ state: 'done', progress: 1, result: { said: 'hi' }, file: { size: 5 } });
  await expect.poll(() => heard.at(-1)?.state).toBe('done');
  expect(heard.map(({ state, progress }) => `${state} ${progress}`)).toContain('running 0.5');
  expect(heardByOther).toEqual([]);
  socket.socket.close();
  other.socket.close();

  const { path } = (await call('POST', `long-actions/one/${id}/file`, ann)).body;
  const fetched = await cloud.call('GET', path);
  expect(fetched.bytes.toString()).toBe('hello');
  expect(fetched.headers.get('content-disposition')).toBe('attachment; filename="a.txt"');
  expect((await cloud.call('GET', path)).body.error).toBe('long_action.file_gone');

  // A day later nothing of it is left.
  await cloud.cloud.features.longActions.tidy(new Date(Date.now() + 25 * 3600_000));
  expect(await get(id)).toMatchObject({ error: 'long_action.not_found' });
  expect(await cloud.cloud.features.files.get(`long-actions/${id}`)).toBeNull();
});

test('it is its owner’s, in its workgroup, and those of the staff are the staff’s', async () => {
  const own = await begin(ann, 'one', async () => ({}));
  await over(own.id);
  const theirs = await begin(staff, null, async () => ({}));
  const rest = ['', '/cancel', '/retry', '/file'];
  for (const end of rest) {
    const method = end === '' ? 'GET' : 'POST';
    for (const [token, wg] of [
      [ben, 'one'],
      [ben, 'two'],
    ] as const)
      expect((await call(method, `long-actions/${wg}/${own.id}${end}`, token)).body.error).toBe(
        'long_action.not_found',
      );
    expect((await call(method, `opsteam/long-actions/${own.id}${end}`, staff)).status).toBe(404);
    expect((await call(method, `long-actions/one/${theirs.id}${end}`, ann)).status).toBe(404);
    expect((await call(method, `opsteam/long-actions/${theirs.id}${end}`, ann)).status).toBe(403);
  }
  expect((await call('DELETE', `long-actions/one/${own.id}`, ben)).status).toBe(404);
  expect((await call('GET', 'long-actions/one', ben)).body).toEqual([]);
  const ids = (await call('GET', 'opsteam/long-actions', staff)).body.map(({ id }: LongAction) => id);
  expect(ids).toEqual([theirs.id]);
  expect((await call('DELETE', `long-actions/one/${own.id}`, ann)).status).toBe(200);
  expect((await call('GET', 'long-actions/one', ann)).body).toEqual([]);
});

test('one that is cancelled ends, and can be begun again', async () => {
  const { id } = await begin(ann, 'one', endless);
  await expect.poll(async () => (await get(id)).progress).toBe(0.25);
  await call('POST', `long-actions/one/${id}/cancel`, ann);
  expect(await over(id)).toMatchObject({ state: 'cancelled', canCancel: false });
  work = async () => ({ result: 'now' });
  const again = (await call('POST', `long-actions/one/${id}/retry`, ann)).body;
  expect(await over(again.id)).toMatchObject({ state: 'done', result: 'now' });
  expect((await get(id)).error).toBe('long_action.not_found');
});

test('what people can mend is told to them; everything else is tried again first', async () => {
  const first = await begin(ann, 'one', async () => {
    throw new AppError('file.missing');
  });
  expect(await over(first.id)).toMatchObject({ state: 'failed', error: 'A file is missing.' });
  expect(await cloud.cloud.features.jobs.dead()).toEqual([]);
});

test('a restart finds it again and runs it to its end', async () => {
  const { id } = await begin(ann, 'one', endless);
  await expect.poll(async () => (await get(id)).state).toBe('running');
  await cloud.stop();
  work = async ({ input }) => ({ result: input.say });
  await start();
  expect(await over(id)).toMatchObject({ state: 'done', result: 'hi' });
}, 60_000);

test('one whose job is gone does not seem to run for ever', async () => {
  const { id } = await begin(ann, 'one', endless);
  await expect.poll(async () => (await get(id)).state).toBe('running');
  await cloud.cloud.features.postgres.query('delete from pgboss.job where id = $1', [id]);
  await cloud.cloud.features.longActions.tidy();
  expect(await get(id)).toMatchObject({ state: 'failed' });
});
