import type { ReplyMessage } from '@albedo/contract/link/link.messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BrowserSocket } from './testing/browser-socket.ts';
import { connectAgent, type FakeAgent } from './testing/fake-agent.ts';
import { startTestCloud, type TestCloud } from './testing/test-cloud.ts';
import { newDatabase, startTwoClouds, type TwoClouds, until } from './testing/two-clouds.ts';

const { ALBEDO_TEST_DATABASE_URL: databaseUrl = '', ALBEDO_TEST_REDIS_URL: redisUrl = '' } = process.env;

/** One process that talks with devices, one that talks with people; PostgreSQL, ClickHouse and Redis between them. */
describe.runIf(databaseUrl && redisUrl)('two processes of one installation', () => {
  let both: TwoClouds;
  let inner: TestCloud;
  let outer: TestCloud;
  let agent: FakeAgent;
  let browser: BrowserSocket;

  beforeAll(async () => {
    both = await startTwoClouds({ databaseUrl, redisUrl }, [
      { ALBEDO_ROLES: 'ingest,jobs' },
      { ALBEDO_ROLES: 'api' },
    ]);
    [inner, outer] = both.clouds;
    agent = await connectAgent(inner);
    browser = await new BrowserSocket(outer, { token: await outer.owner(), orgName: 'main' }).connected();
  });
  afterAll(async () => {
    browser?.close();
    await agent?.leave();
    await both?.stop();
  });

  test('a session of the one is a session of the other, until either revokes it', async () => {
    const token = await inner.owner();
    expect((await outer.call('GET', 'me', { token })).status).toBe(200);
    const { sessions } = inner.cloud.features;
    await sessions.revoke(await sessions.verify(token));
    await until(async () => (await outer.call('GET', 'me', { token })).status === 401);
  });

  test('who is online there is online here, on screens and in the list', async () => {
    const change = browser.event<{ deviceId: string }>('device:stateChange');
    const guest = await connectAgent(inner, 'main', 'Guest');
    expect((await change).deviceId).toBe(guest.id);
    await until(async () => {
      const { body } = await outer.call('GET', 'devices/main', { token: await outer.owner() });
      return (body as { id: string; facts: { online: boolean } }[]).some(
        (device) => device.id === guest.id && device.facts.online,
      );
    });
    await guest.leave();
  });

  test('values, feeds and commands pass through both', async () => {
    await browser.call('device:watch', { deviceId: agent.id });
    const latest = browser.event<{ sources: { values: object }[] }>('device:latest');
    const fields = [{ name: 'cpu_usage', type: 'decimal' as const }];
    const sending = setInterval(
      () => void agent.send([{ table: 'data', source: 'cpu', fields, rows: [[Date.now(), 7]] }]),
      200,
    );
    expect((await latest).sources[0]?.values).toEqual({ cpu_usage: 7 });
    clearInterval(sending);

    agent.onRequest((request) => {
      if (request.action === 'feed')
        void agent.publish('live', { ...request, events: [[1, { cpu_usage: 8 }]] });
      if (request.action !== 'cmd') return;
      const { correlationId } = request;
      const reply: Partial<ReplyMessage> = { correlationId, complete: true, stdout: 'done', returnCode: 0 };
      void agent.publish('reply', reply);
    });
    const samples: unknown[] = [];
    void browser.call('device:feed', { deviceId: agent.id, table: 'data', source: 'cpu' }, (reply) =>
      samples.push(...(reply.data as { events: unknown[] }).events),
    );
    await until(async () => samples.length > 0);
    const result = await browser.call('device:cmd', { deviceId: agent.id, cmd: 'true' });
    expect(result.data).toMatchObject({ stdout: 'done', returnCode: 0 });
  });

  test('a certificate that is revoked here ends the connection there', async () => {
    const guest = await connectAgent(inner, 'main', 'Revoked');
    await until(async () => outer.cloud.features.registry.known(guest.id) !== null);
    await outer.cloud.features.certificates.reload(guest.id);
    const went = browser.event<{ deviceId: string; online: boolean }>(
      'device:stateChange',
      (change) => change.deviceId === guest.id && !change.online,
    );
    const token = await outer.owner();
    expect((await outer.call('POST', `devices/main/${guest.id}/revoke`, { token })).status).toBe(200);
    expect((await went).online).toBe(false);
  });

  test('another installation on the same Redis hears nothing of it, nor do its people', async () => {
    const other = await startTestCloud({
      DATABASE_URL: await newDatabase(databaseUrl),
      REDIS_URL: redisUrl,
    });
    // Workgroups of the same name.
    const there = await new BrowserSocket(other, { token: await other.owner(), orgName: 'main' }).connected();
    let heard = 0;
    void there.event('device:stateChange').then(() => heard++);
    const change = browser.event<{ deviceId: string }>('device:stateChange');
    const stranger = await connectAgent(inner, 'main', 'Stranger');
    expect((await change).deviceId).toBe(stranger.id);
    await stranger.leave();
    await until(async () => {
      const { body } = await outer.call('GET', 'devices/main', { token: await outer.owner() });
      const device = (body as { id: string; facts: { online: boolean } }[]).find(
        ({ id }) => id === stranger.id,
      );
      return device?.facts.online === false;
    });
    expect(other.cloud.features.registry.ids()).toEqual([]);
    expect(heard).toBe(0);
    there.close();
    await other.stop();
  });
});
