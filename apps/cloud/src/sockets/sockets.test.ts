import { bulkFeedSample, devicesActions, devicesEvents } from '@albedo/contract/devices/devices.socket';
import type { LiveMessage, ReplyMessage } from '@albedo/contract/link/link.messages';
import type { SocketReply } from '@albedo/contract/sockets/action';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALL_DEVICES } from '../access/device-scope.ts';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { connectAgent, type FakeAgent } from '../testing/fake-agent.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let agent: FakeAgent;
const opened: BrowserSocket[] = [];

function socket(query: { token?: string | undefined; orgName?: string }): BrowserSocket {
  const one = new BrowserSocket(cloud, query);
  opened.push(one);
  return one;
}

const ownerSocket = async () => socket({ token: await cloud.owner(), orgName: 'main' }).connected();

beforeAll(async () => {
  cloud = await startTestCloud();
  agent = await connectAgent(cloud);
});
afterAll(async () => {
  for (const one of opened) one.close();
  await agent.leave();
  await cloud.stop();
});

describe('connecting', () => {
  test('without a token is refused as unauthorised', async () => {
    await expect(socket({ orgName: 'main' }).connected()).rejects.toThrow('unauthorised');
  });

  test('with a token that is none is refused as invalid_token', async () => {
    await expect(socket({ token: 'x.y.z', orgName: 'main' }).connected()).rejects.toThrow('invalid_token');
  });

  test('to a workgroup of others is refused as unauthorised', async () => {
    const token = await cloud.newUser({ other: { role: 'owner' } });
    await expect(socket({ token, orgName: 'main' }).connected()).rejects.toThrow('unauthorised');
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'to a workgroup called %s is refused as unauthorised, and the server goes on',
    async (orgName) => {
      await expect(socket({ token: await cloud.owner(), orgName }).connected()).rejects.toThrow(
        'unauthorised',
      );
      await ownerSocket();
    },
  );

  test.each([
    ['a page of ours', (base: string) => base, true],
    ['a page of another server', () => 'https://evil.example', false],
    ['a page of another port', () => 'http://127.0.0.1:1', false],
    ['a page without an address', () => 'null', false],
  ])('from %s is let in only when it is ours', async (_page, originOf, isIn) => {
    const origin = originOf(cloud.cloud.url);
    const one = new BrowserSocket(cloud, { token: await cloud.owner(), orgName: 'main' }, { origin });
    opened.push(one);
    if (isIn) await one.connected();
    else await expect(one.connected()).rejects.toThrow('websocket error');
  });

  test('ends when the session is revoked', async () => {
    const token = await cloud.owner();
    const one = await socket({ token, orgName: 'main' }).connected();
    const ended = new Promise((resolve) => one.socket.once('disconnect', resolve));
    await cloud.call('POST', 'auth/logout', { token });
    expect(await ended).toBe('io server disconnect');
    await expect(socket({ token, orgName: 'main' }).connected()).rejects.toThrow('invalid_token');
  });
});

describe('calls', () => {
  test('every action refuses who may not use it, and a device of another workgroup', async () => {
    const readonly = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
    const foreign = await cloud.newUser({ other: { role: 'owner' } });
    const member = await socket({ token: readonly, orgName: 'main' }).connected();
    const stranger = await socket({ token: foreign, orgName: 'other' }).connected();
    const arguments_ = {
      deviceId: agent.id,
      cmd: 'id',
      table: 'data',
      source: 'cpu',
      feedId: 'x',
      stop: true,
      streams: [{ deviceId: agent.id, table: 'data', source: 'cpu' }],
    };
    for (const [name, action] of Object.entries(devicesActions)) {
      if (action.access.who.kind === 'commands') {
        expect((await member.call(name, arguments_)).error?.error, name).toBe('access.no_commands');
      }
      if (name === 'device:feed:stop') continue;
      const reply = await stranger.call(name, arguments_);
      expect(reply.error?.message, name).toMatch('This device does not exist');
    }
  });

  test('a call that does not fit names the field', async () => {
    const one = await ownerSocket();
    const { error } = await one.call('device:feed', { deviceId: agent.id, table: 'data' });
    expect(error).toMatchObject({
      message: expect.stringMatching(/source/),
      error: 'request.invalid',
      issues: [{ path: 'source', issue: 'issue.required' }],
    });
  });

  test('a command without a device or a line says what is missing, in the words of the specification', async () => {
    const one = await ownerSocket();
    const messageOf = async (request: object) => (await one.call('device:cmd', request)).error?.message;
    expect(await messageOf({ cmd: 'uptime' })).toBe('Must supply a deviceId');
    expect(await messageOf({ deviceId: agent.id })).toBe('Must supply a command');
    expect(await messageOf({ deviceId: agent.id, cmd: '' })).toBe('Must supply a command');
  });

  test('an action that does not exist is answered, not ignored', async () => {
    const one = await ownerSocket();
    expect(await one.call('device:fly', {})).toMatchObject({
      error: { message: 'Not found', error: 'request.not_found' },
      complete: true,
    });
  });

  test('a command runs on the device and its result comes back', async () => {
    agent.onRequest((request) => {
      if (request.action !== 'cmd') return;
      const reply: ReplyMessage = {
        correlationId: request.correlationId,
        complete: true,
        stdout: `ran ${request.cmd}`,
        stderr: '',
        returnCode: 0,
        error: null,
        killed: false,
        pid: 42,
      };
      void agent.publish('reply', reply);
    });
    const one = await ownerSocket();
    await until(() => cloud.cloud.features.health.of(agent.id).online);
    const reply = await one.call('device:cmd', { deviceId: agent.id, cmd: 'uptime' });
    expect(reply.error).toBeUndefined();
    expect(devicesActions['device:cmd'].reply.parse(reply.data)).toMatchObject({
      stdout: 'ran uptime',
      returnCode: 0,
      pid: 42,
    });
  });

  test('a command stands in the audit log with the address it came from', async () => {
    const { devices } = cloud.cloud.features;
    const { id } = await devices.create('main', { name: 'Audited', arch: 'arm64', ced: false }, null);
    const extraHeaders = { 'x-forwarded-for': '203.0.113.9' };
    const query = { token: await cloud.owner(), orgName: 'main' };
    const one = await new BrowserSocket(cloud, query, extraHeaders).connected();
    await one.call('device:cmd', { deviceId: id, cmd: 'uptime' });
    one.close();
    expect(await auditOf(cloud, 'main')).toContainEqual(
      expect.objectContaining({ device: id, action: 'run', new_value: 'uptime', address: '203.0.113.9' }),
    );
  });

  test('a command to a device that is offline says so', async () => {
    const { devices } = cloud.cloud.features;
    const { id } = await devices.create('main', { name: 'Asleep', arch: 'arm64', ced: false }, null);
    const one = await ownerSocket();
    const reply = await one.call('device:cmd', { deviceId: id, cmd: 'uptime' });
    expect(reply.error?.message).toBe('The device is offline, so it cannot answer.');
  });
});

describe('live', () => {
  test('two viewers of one source share one feed on the device, and the last one to leave stops it', async () => {
    const [one, two] = [await ownerSocket(), await ownerSocket()];
    const samples: SocketReply[] = [];
    const feed = { deviceId: agent.id, table: 'data', source: 'cpu' };
    const before = agent.requests.length;
    const over = [one, two].map((viewer) => viewer.call('device:feed', feed, (reply) => samples.push(reply)));
    await until(() => samples.length === 2);
    const asked = () => agent.requests.slice(before).filter((request) => request.action === 'feed');
    await until(() => asked().length > 0);
    const [request] = asked();
    if (request?.action !== 'feed') throw new Error('no feed was asked for');
    const live: LiveMessage = { ...request, events: [[1000, { cpu_usage: 12 }]] };
    await agent.publish('live', live);
    await until(() => samples.length === 4);
    expect(new Set(asked().map((one) => (one as { feedId: string }).feedId)).size).toBe(1);
    expect(samples.slice(2).map((reply) => (reply.data as LiveMessage).events)).toEqual([
      live.events,
      live.events,
    ]);

    const feedOf = (reply: SocketReply | undefined) =>
      (reply?.data as { feedId: string } | undefined)?.feedId;
    await one.call('device:feed:stop', { feedId: feedOf(samples[0]) });
    await two.call('device:feed:stop', { feedId: feedOf(samples[0]) });
    expect(agent.requests.slice(before).some((request) => request.action === 'feedStop')).toBe(false);
    await one.call('device:feed:stop', { feedId: feedOf(samples[1]) });
    two.close();
    await until(() => agent.requests.slice(before).some((request) => request.action === 'feedStop'));
    expect((await over[0])?.complete).toBe(true);
  });

  test('a feed says what it is of, and of one field only that', async () => {
    const one = await ownerSocket();
    const samples: SocketReply[] = [];
    const before = agent.requests.length;
    const feed = { deviceId: agent.id, table: 'data', source: 'disk', field: 'used' };
    void one.call('device:feed', feed, (reply) => samples.push(reply));
    const asked = () => agent.requests.slice(before).find((request) => request.action === 'feed');
    await until(() => asked() !== undefined && samples.length === 1);
    const of = { device: agent.id, table: 'data', source: 'disk', field: 'used' };
    expect(samples[0]?.data).toEqual({ feedId: expect.any(String), ...of, events: [] });
    await agent.publish('live', {
      ...asked(),
      events: [
        [1000, { free: 1 }],
        [2000, { used: 7, free: 1 }],
      ],
    });
    await until(() => samples.length === 2);
    expect(samples[1]?.data).toMatchObject({ ...of, events: [[2000, { used: 7 }]] });
    one.close();
    await until(() => agent.requests.slice(before).some((request) => request.action === 'feedStop'));
  });

  test('one feed carries several streams, of all fields or of one, until it is stopped', async () => {
    const one = await ownerSocket();
    const samples: SocketReply[] = [];
    const before = agent.requests.length;
    const stream = (source: string) => ({ deviceId: agent.id, table: 'data', source });
    const streams = [{ ...stream('cpu'), field: 'user' }, stream('disk')];
    const over = one.call('device:bulkFeed', { streams }, (reply) => samples.push(reply));
    const asked = (action: string) => agent.requests.slice(before).filter((sent) => sent.action === action);
    await until(() => asked('feed').length === 2);
    for (const request of asked('feed')) {
      const { feedId, table, source } = request as { feedId: string; table: string; source: string };
      const live: LiveMessage = {
        feedId,
        table,
        source,
        events: [
          [1000, { user: 1, idle: 2 }],
          [2000, { idle: 3 }],
        ],
      };
      await agent.publish('live', live);
    }
    await until(() => samples.length === 3);
    const told = samples.map(({ data }) => bulkFeedSample.parse(data));
    expect(told[0]?.samples).toEqual([]);
    expect(told.slice(1).flatMap((sample) => sample.samples)).toEqual(
      expect.arrayContaining([
        { ...stream('cpu'), events: [[1000, { user: 1 }]] },
        {
          ...streams[1],
          events: [
            [1000, { user: 1, idle: 2 }],
            [2000, { idle: 3 }],
          ],
        },
      ]),
    );
    await one.call('device:feed:stop', { feedId: told[0]?.feedId });
    await until(() => asked('feedStop').length === 2);
    expect((await over).complete).toBe(true);
    const stranger = { ...streams[0], deviceId: crypto.randomUUID() };
    const refused = await one.call('device:bulkFeed', { streams: [...streams, stranger] });
    expect(refused.error?.error).toBe('device.not_found');
    const many = Array.from({ length: 30 }, () => streams[1]);
    void one.call('device:bulkFeed', { streams: many }, (reply) => samples.push(reply));
    await until(() => samples.length === 4);
    expect((await one.call('device:bulkFeed', { streams: many })).error?.error).toBe('request.too_many');
    one.close();
  });

  test('values of a watched device come as they arrive, and then stand in its sources', async () => {
    const one = await ownerSocket();
    await one.call('device:watch', { deviceId: agent.id });
    const latest = one.event<{ sources: { values: Record<string, number> }[] }>('device:latest');
    const at = Date.now();
    const fields = [{ name: 'cpu_usage', type: 'decimal' as const }];
    await agent.send([
      {
        table: 'data',
        source: 'cpu',
        fields,
        rows: [
          [at, 20],
          [at + 1, 40],
        ],
      },
    ]);
    const event = devicesEvents['device:latest'].parse(await latest);
    expect(event.sources).toEqual([
      { table: 'data', source: 'cpu', eventAt: at + 1, values: { cpu_usage: 40 } },
    ]);
    await agent.acknowledged();
    const { body } = await cloud.call('GET', `devices/main/${agent.id}/sources`, {
      token: await cloud.owner(),
    });
    expect(body).toContainEqual(event.sources[0]);
  });

  test('facts of health change on the screen: CPU as a mean, the black box, and what the agent says', async () => {
    const one = await ownerSocket();
    const seen: Record<string, unknown> = {};
    one.socket.on('device:facts', (changes: { deviceId: string; facts: object }[]) => {
      for (const { deviceId, facts } of devicesEvents['device:facts'].parse(changes)) {
        if (deviceId === agent.id) Object.assign(seen, facts);
      }
    });
    const at = Date.now();
    const field = (name: string) => ({ name, type: 'decimal' as const });
    await agent.send([
      {
        table: 'data',
        source: 'cpu',
        fields: [field('cpu_usage')],
        rows: [
          [at, 60],
          [at + 50_000, 60],
        ],
      },
      {
        table: 'black_box',
        source: 'Black box',
        fields: ['CPU temp', 'MEM usage', 'DISK usage', 'Uptime'].map(field),
        rows: [[at, 51.5, 61, 71, 49]],
      },
    ]);
    await until(() => seen.blackBoxAt === at);
    expect(seen).toMatchObject({ cpuTemp: 51.5, memUsage: 61, diskUsage: 71, upTimeHours: 49 });
    const summary = cloud.cloud.features.devices
      .list('main', ALL_DEVICES)
      .find((device) => device.id === agent.id);
    expect(summary?.facts).toMatchObject({ online: true, cloudLastDataAt: expect.any(Number) });
    // What came before covers two seconds.
    expect(summary?.facts.cpuUsage).toBeGreaterThan(58);
  });

  test('a device that comes and goes is announced at once', async () => {
    const one = await ownerSocket();
    const came = one.event<{ deviceId: string; online: boolean }>(
      'device:stateChange',
      (change) => change.online,
    );
    const guest = await connectAgent(cloud, 'main', 'Guest');
    expect(devicesEvents['device:stateChange'].parse(await came).deviceId).toBe(guest.id);
    const went = one.event<{ deviceId: string; online: boolean }>('device:stateChange');
    await guest.leave();
    expect(await went).toMatchObject({ deviceId: guest.id, online: false });
  });

  test('a revoked device is disconnected at once', async () => {
    const one = await ownerSocket();
    const guest = await connectAgent(cloud, 'main', 'Revoked');
    await until(() => cloud.cloud.features.health.of(guest.id).online);
    const went = one.event<{ deviceId: string; online: boolean }>(
      'device:stateChange',
      (change) => change.deviceId === guest.id && !change.online,
    );
    const reply = await cloud.call('POST', `devices/main/${guest.id}/revoke`, { token: await cloud.owner() });
    expect(reply.body.revokedAt).toEqual(expect.any(Number));
    expect(await went).toMatchObject({ online: false });
  });
});

/** Waits until something is so; the test's own timeout is the limit. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
