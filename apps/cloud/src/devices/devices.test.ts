import { createHash, randomUUID, X509Certificate } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { device, toldSummary } from '@albedo/contract/devices/devices.schema';
import { extract } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { buildAgent, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let token = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
});
afterAll(() => cloud.stop());

let names = 0;
async function newDevice(): Promise<string> {
  const { body } = await cloud.call('POST', 'devices/main', {
    token,
    // Another kind of processor than this machine's, so that the packs leave its runtime out.
    body: { name: `Device ${++names}`, arch: 'armhf' },
  });
  return device.parse(body).id;
}

/** Files of a gzip tar by name. */
async function unpack(bytes: Buffer): Promise<Map<string, { content: string; mode: number }>> {
  const files = new Map<string, { content: string; mode: number }>();
  const tar = extract();
  tar.end(gunzipSync(bytes));
  for await (const entry of tar) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    files.set(entry.header.name, {
      content: Buffer.concat(chunks).toString(),
      mode: entry.header.mode ?? 0,
    });
  }
  return files;
}

describe('devices', () => {
  test('are listed by name with everything the contract says', async () => {
    const { id } = await cloud.cloud.features.devices.create(
      'main',
      { name: 'Zeta', arch: 'arm64', ced: true },
      null,
    );
    await cloud.call('POST', 'devices/main', { token, body: { name: 'alpha 10' } });
    await cloud.call('POST', 'devices/main', { token, body: { name: 'Alpha 9' } });
    const list = z
      .array(z.strictObject(toldSummary.shape))
      .parse((await cloud.call('GET', 'devices/main', { token })).body);
    expect(list.map((one) => one.name)).toEqual(['Alpha 9', 'alpha 10', 'Zeta']);
    const standing = {
      online: false,
      os: null,
      version: null,
      gnat: false,
      fallback: false,
      fallbackError: null,
    };
    expect(list[2]).toMatchObject({ id, ced: true, notAfter: null, facts: { online: false }, ...standing });
    expect((await cloud.call('GET', `devices/main/${id}`, { token })).body).toMatchObject(standing);
  });

  test('are listed by id and name alone where nothing more is wanted', async () => {
    const all = (await cloud.call('GET', 'devices/main', { token })).body as { id: string; name: string }[];
    const short = await cloud.call('GET', 'devices/main?nameonly=true', { token });
    expect(all.length).toBeGreaterThan(0);
    expect(short.body).toEqual(all.map(({ id, name }) => ({ id, name })));
    expect((await cloud.call('GET', 'devices/main?nameonly=false', { token })).body).toEqual(all);
  });

  test('have names that are unique in their workgroup', async () => {
    const id = await newDevice();
    const taken = await cloud.call('POST', 'devices/main', { token, body: { name: 'Zeta' } });
    expect(taken).toMatchObject({ status: 409, body: { error: 'device.name_taken' } });
    const renamed = await cloud.call('PUT', `devices/main/${id}`, { token, body: { name: 'Zeta' } });
    expect(renamed).toMatchObject({ status: 409, body: { error: 'device.name_taken' } });
    const elsewhere = await cloud.newUser({ other: { role: 'owner' } });
    const same = await cloud.call('POST', 'devices/other', { token: elsewhere, body: { name: 'Zeta' } });
    expect(same.status).toBe(200);
  });

  test('need a name', async () => {
    const reply = await cloud.call('POST', 'devices/main', { token, body: { name: '  ' } });
    expect(reply).toMatchObject({ status: 400, body: { error: 'request.invalid' } });
    expect(reply.body.message).toMatch(/name in the body: A device needs a name/);
  });

  test('keep their settings, one by one', async () => {
    const id = await newDevice();
    const info = { Latitude: '40.3', Longitude: '-3.4' };
    await cloud.call('PUT', `devices/main/${id}/settings/info`, { token, body: { value: info } });
    await cloud.call('PUT', `devices/main/${id}/settings/color`, { token, body: { value: 'red' } });
    const { body } = await cloud.call('GET', `devices/main/${id}`, { token });
    expect(device.parse(body).settings).toEqual({ info, color: 'red' });
  });

  test('keep settings of so many keys and so much text, and refuse what is more', async () => {
    const id = await newDevice();
    const set = (key: string, value: unknown) =>
      cloud.call('PUT', `devices/main/${id}/settings/${key}`, { token, body: { value } });
    for (let n = 0; n < 4; n++) expect((await set(`big${n}`, 'x'.repeat(16_000))).status).toBe(200);
    expect(await set('more', 'x'.repeat(16_000))).toMatchObject({
      status: 400,
      body: { error: 'device.settings_full' },
    });
    expect((await set('big0', 'x')).status).toBe(200);
    for (let n = 4; n < 64; n++) await set(`small${n}`, n);
    expect((await set('oneMore', 1)).body.error).toBe('device.settings_full');
    expect((await set('small4', 2)).status).toBe(200);
    expect((await set('constructor', 1)).status).toBe(400);
  });

  test('that are removed are gone, and their certificate is revoked', async () => {
    const id = await newDevice();
    const { certificates } = cloud.cloud.features;
    const { serial } = await certificates.issue(id, 'main');
    expect((await cloud.call('DELETE', `devices/main/${id}`, { token })).status).toBe(200);
    expect((await cloud.call('GET', `devices/main/${id}`, { token })).status).toBe(404);
    expect(certificates.isRevoked(serial)).toBe(true);
  });

  test('with an id that is none are a fault of the request, not of the server', async () => {
    expect((await cloud.call('GET', 'devices/main/rubbish', { token })).status).toBe(404);
  });
});

describe('agent packs', () => {
  test('cannot be made before the agent is built, and the device keeps its certificate', async () => {
    const id = await newDevice();
    const { serial } = await cloud.cloud.features.certificates.issue(id, 'main');
    for (const path of ['agentPack', 'reissue']) {
      const reply = await cloud.call('POST', `devices/main/${id}/${path}`, { token });
      expect(reply).toMatchObject({ status: 503, body: { error: 'pack.not_built' } });
    }
    expect(cloud.cloud.features.certificates.isRevoked(serial)).toBe(false);
    expect(readdirSync(cloud.agentDist)).toEqual([]);
  });

  test('are not offered for a device that was deleted since somebody looked', async () => {
    const offer = cloud.cloud.features.enrolment.offer(randomUUID());
    await expect(offer).rejects.toMatchObject({ error: 'device.not_found' });
  });

  test('hold the agent and the identity of their device, and revoke the earlier one', async () => {
    buildAgent(cloud);
    const id = await newDevice();
    const { certificates } = cloud.cloud.features;
    const earlier = await certificates.issue(id, 'main');
    const reply = await cloud.call('POST', `devices/main/${id}/agentPack`, { token });
    expect(reply.headers.get('content-type')).toBe('application/gzip');
    const files = await unpack(reply.bytes);
    expect([...files.keys()]).toEqual(
      expect.arrayContaining([
        'albedo-agent/install.sh',
        'albedo-agent/agent.mjs',
        'albedo-agent/albedo.service',
        'albedo-agent/etc/albedo/albedo.yaml',
        'albedo-agent/etc/albedo/keys/ca-chain.crt',
      ]),
    );
    expect(files.get('albedo-agent/etc/albedo/keys/client.key')?.mode).toBe(0o600);
    expect(files.get('albedo-agent/etc/albedo/albedo.yaml')?.content).toMatch(
      new RegExp(`hostname: "localhost"\n +port: ${cloud.cloud.mqttPort}\n`),
    );
    const certificate = new X509Certificate(
      files.get('albedo-agent/etc/albedo/keys/client.crt')?.content ?? '',
    );
    expect(certificate.subject).toContain(`CN=${id}`);
    expect(certificate.checkIssued(new X509Certificate(certificates.caPem))).toBe(true);
    expect(certificates.isRevoked(earlier.serial)).toBe(true);
    const info = await cloud.call('GET', `devices/main/${id}/certificateInfo`, { token });
    expect(info.body).toMatchObject({ revokedAt: null, serial: certificate.serialNumber.toLowerCase() });
  });

  test('are fetched with a one-time token that stands in no address and works once', async () => {
    const id = await newDevice();
    const { body } = await cloud.call('POST', `devices/main/${id}/reissue`, { token });
    expect(body.expiresAt - Date.now()).toBeLessThanOrEqual(3_600_000);
    const oneTime = /Bearer ([\w-]+)/.exec(body.command)?.[1] ?? '';
    expect(body.command).toMatch(
      /^echo 'Authorization: Bearer .+' \| curl -fsS -H @- http\S+\/api\/v1\/agent\/pack \| tar -xz &&/,
    );
    expect(/https?:\S+/.exec(body.command)?.[0]).not.toContain(oneTime);

    const pack = await cloud.call('GET', 'agent/pack', { token: oneTime });
    const files = await unpack(pack.bytes);
    expect(files.has('albedo-agent/etc/albedo/keys/client.crt')).toBe(true);
    const sums = files.get('albedo-agent/SHA256SUMS')?.content ?? '';
    expect(sums).toMatch(/^[0-9a-f]{64} {2}agent\.mjs$/m);
    expect(body.command).toContain(`echo '${createHash('sha256').update(sums).digest('hex')}  SHA256SUMS'`);
    const again = await cloud.call('GET', 'agent/pack', { token: oneTime });
    expect(again).toMatchObject({ status: 401, body: { error: 'pack.token_invalid' } });
    const { postgres } = cloud.cloud.features;
    expect(JSON.stringify(await postgres.query('select * from agent_pack_tokens'))).not.toContain(oneTime);
  });

  test('a newer offer ends the earlier one, and an expired one is refused', async () => {
    const id = await newDevice();
    const offer = async () => {
      const { body } = await cloud.call('POST', `devices/main/${id}/reissue`, { token });
      return /Bearer ([\w-]+)/.exec(body.command)?.[1] ?? '';
    };
    const [first, second] = [await offer(), await offer()];
    expect((await cloud.call('GET', 'agent/pack', { token: first })).status).toBe(401);
    await cloud.cloud.features.postgres.query(
      `update agent_pack_tokens set expires_at = now() - interval '1 s'`,
    );
    expect((await cloud.call('GET', 'agent/pack', { token: second })).status).toBe(401);
  });
});
