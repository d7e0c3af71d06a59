import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { startTestCloud } from '../testing/test-cloud.ts';
import { RENEWALS, renewKey } from './renew.command.ts';
import { Seal } from './sealed.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'albedo-renewed-'));
const config = readConfig({ ALBEDO_DATA: dataDir });
const start = () => startTestCloud({ ALBEDO_DATA: dataDir });
const kept = (name: string) => readFileSync(join(dataDir, name), 'utf8');
/** Without the checksum in front. */
const text = (name: string) => kept(name).replace(/^albedo-plain:1:.*\n/, '');
const renew = (word: string, ...args: string[]) => renewKey(config, word, args, () => {});
const FILES = [...RENEWALS.values()].flatMap(({ files }) => Object.keys(files));

let session = '';
beforeAll(async () => {
  const cloud = await start();
  session = await cloud.owner();
  await cloud.stop();
});
afterAll(() => rmSync(dataDir, { recursive: true }));

test('each key of an installation is changed by a command, and what the ones before made is taken for its time', async () => {
  const before = new Map(FILES.map((name) => [name, text(name)]));
  const sealed = new Seal(text('secrets/mfa')).close('a second factor', 'ann');
  for (const word of RENEWALS.keys()) await renew(word, ...(word === 'authority' ? ['--at-once'] : []));
  for (const name of FILES) expect(text(name), name).not.toBe(before.get(name));

  // What it sealed is opened, and what is sealed now is nothing to the key before.
  expect(new Seal(text('secrets/mfa')).open(sealed, 'ann')).toBe('a second factor');
  const anew = new Seal(text('secrets/mfa')).close('a second factor', 'ann');
  expect(() => new Seal(before.get('secrets/mfa') ?? '').open(anew, 'ann')).toThrow();
  // Directories may still encrypt for the certificate that they know.
  const { keyPem } = JSON.parse(before.get('secrets/saml-encryption.json') ?? '');
  expect(JSON.parse(text('secrets/saml-encryption.json')).keyPemBefore).toBe(keyPem);

  const cloud = await start();
  try {
    expect((await cloud.call('GET', 'me', { token: session })).status).toBe(200);
    const authority = new X509Certificate(cloud.cloud.features.certificates.caPem);
    expect(before.get('ca/ca.pem')).not.toContain(cloud.cloud.features.certificates.caPem.trim());
    // The certificate of the device link was made anew by the new authority.
    expect(new X509Certificate(text('ca/server.pem')).verify(authority.publicKey)).toBe(true);
  } finally {
    await cloud.stop();
  }
}, 120_000);

test('a change at once leaves nothing of the key before', async () => {
  const sealed = new Seal(text('secrets/mfa')).close('a second factor', 'ann');
  for (const word of ['data', 'sso', 'sessions']) await renew(word, '--at-once');
  expect(() => new Seal(text('secrets/mfa')).open(sealed, 'ann')).toThrow();
  expect(JSON.parse(text('secrets/saml-encryption.json')).keyPemBefore).toBeUndefined();
  expect(text('secrets/session.pem').match(/BEGIN/g)).toHaveLength(1);
});

test('a secret that is damaged, swapped or gone is named by the start, and made anew at once when somebody says so', async () => {
  const whole = new Map(FILES.map((name) => [name, kept(name)]));
  const put = (name: string, value: string) => writeFileSync(join(dataDir, name), value);
  const refuses = (said: RegExp) => expect(start()).rejects.toThrow(said);
  for (const name of ['secrets/csrf', 'ca/ca.pem']) {
    put(name, whole.get('secrets/session.pem') ?? '');
    await refuses(new RegExp(`${name} was changed or damaged; put it back from a backup`));
    rmSync(join(dataDir, name));
    await refuses(new RegExp(`${name} is gone. Put ${name} back from a backup`));
    put(name, whole.get(name) ?? '');
  }
  put('secrets/csrf', 'lost');
  rmSync(join(dataDir, 'secrets/session.pem'));
  await renew('sessions', '--at-once');
  await renew('forgery', '--at-once');
  const cloud = await start();
  expect((await cloud.call('GET', 'me', { token: session })).status).toBe(401);
  await cloud.stop();
}, 120_000);

test('devices are not cut off without a word, and unknown keys are named', async () => {
  const before = text('ca/ca.pem');
  await expect(renew('authority')).rejects.toThrow(/no device can connect until it was given new keys/);
  expect(text('ca/ca.pem')).toBe(before);
  await expect(renew('__proto__')).rejects.toThrow('There is no key for "__proto__", only for sessions');
});
