import { createPublicKey, verify } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Config, readConfig } from '../config/config.ts';
import { startTestCloud } from '../testing/test-cloud.ts';
import { KeyRing, makeKey } from './key-ring.ts';
import { openKeyRing } from './key-source.ts';
import { rotateKeys } from './keys.command.ts';
import { renewKey } from './renew.command.ts';
import { makeSealKey } from './sealed.ts';
import { keysIn, makeForgeryKey, makeSigningKey } from './signing-keys.ts';

const folder = mkdtempSync(join(tmpdir(), 'albedo-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));
const [one, two] = [makeKey(), makeKey()];

test('what a key sealed is opened by it alone, under its own name, and unchanged', async () => {
  const ring = new KeyRing([one]);
  const sealed = ring.close('a secret', 'secrets/a');
  expect(sealed).not.toContain('a secret');
  expect(await ring.open(sealed, 'secrets/a')).toBe('a secret');
  expect(await new KeyRing([two, one]).open(sealed, 'secrets/a')).toBe('a secret');
  await expect(ring.open(sealed, 'secrets/b')).rejects.toThrow(/secrets\/b was changed/);
  await expect(new KeyRing([two]).open(sealed, 'secrets/a')).rejects.toThrow(
    /sealed with the key \w{8}, and \w{8} is given/,
  );
  await expect(new KeyRing().open(sealed, 'secrets/a')).rejects.toThrow(/no key is given/);
});

test('what no key seals is opened under its own name and unchanged, also by any one bit', async () => {
  const ring = new KeyRing();
  const names = ['secrets/session.pem', 'secrets/csrf', 'secrets/mfa', 'secrets/saml.json'];
  const texts = [makeSigningKey(), makeForgeryKey(), makeSealKey(), '{"certificate":"-----BEGIN"}'];
  for (const [i, name] of names.entries()) {
    const text = texts[i] ?? '';
    // As earlier releases left it.
    expect(await ring.open(text, name)).toBe(text);
    expect(ring.isCurrent(text)).toBe(false);
    const kept = ring.close(text, name);
    expect([await ring.open(kept, name), ring.isCurrent(kept)]).toEqual([text, true]);
    // With a key it is sealed at the next start.
    expect(await new KeyRing([one]).open(kept, name)).toBe(text);
    expect(new KeyRing([one]).isCurrent(kept)).toBe(false);
    const refused = [
      ...[kept.slice(0, -1), kept.slice(0, 40), '', '\0'.repeat(kept.length)],
      ...[one, two].map((key) => flipped(new KeyRing([key]).close(text, name), 2)),
      ...Array.from({ length: kept.length * 8 }, (_, bit) => flipped(kept, bit)),
    ];
    for (const bad of refused)
      await expect(ring.open(bad, name)).rejects.toThrow(`${name} was changed or damaged; put it back`);
    await expect(ring.open(kept, names[(i + 1) % names.length] ?? '')).rejects.toThrow('was changed');
  }
});

test('a key comes from the environment, a file or a command, and each fault is one sentence', async () => {
  const file = join(folder, 'key');
  writeFileSync(file, `${one}\n`);
  const sealed = new KeyRing([one]).close('a secret', 'a');
  for (const env of [{ ALBEDO_KEY: one }, { ALBEDO_KEY_FILE: file }, { ALBEDO_KEY_COMMAND: `cat ${file}` }])
    expect(await (await openKeyRing(readConfig(env))).open(sealed, 'a')).toBe('a secret');
  const faulty = (env: Record<string, string>) => openKeyRing(readConfig(env));
  await expect(faulty({ ALBEDO_KEY_FILE: join(folder, 'none') })).rejects.toThrow(
    /cannot be read \(ENOENT\)/,
  );
  await expect(faulty({ ALBEDO_KEY_COMMAND: 'echo leak; exit 3' })).rejects.toThrow(
    /^ALBEDO_KEY_COMMAND ended with 3\.$/,
  );
  await expect(faulty({ ALBEDO_KEY_COMMAND: 'echo short' })).rejects.toThrow(/less than 32 characters/);
  expect(() => readConfig({ ALBEDO_KEY: one, ALBEDO_KEY_FILE: file })).toThrow(/only one of/);
});

test('a data folder is sealed at the next start, stays the same installation, and opens with its key alone', async () => {
  const dataDir = join(folder, 'data');
  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, `${one}\n`);
  const start = (env: Record<string, string>) => startTestCloud({ ALBEDO_DATA: dataDir, ...env });
  const plain = await start({});
  const { caPem } = plain.cloud.features.certificates;
  const session = await plain.owner();
  await plain.stop();

  const sealed = await start({ ALBEDO_KEY_FILE: keyFile });
  expect(sealed.cloud.features.certificates.caPem).toBe(caPem);
  expect((await sealed.call('GET', 'me', { token: session })).status).toBe(200);
  const isSecret = (name: string) => !['ca.crt', 'crl.pem'].includes(name);
  const texts = () =>
    ['secrets', 'ca'].flatMap((part) =>
      readdirSync(join(dataDir, part))
        .filter(isSecret)
        .map((name) => [name, readFileSync(join(dataDir, part, name), 'utf8')]),
    );
  expect(texts().length).toBeGreaterThan(6);
  for (const [name, text] of texts())
    expect([name, text]).toEqual([name, expect.stringMatching(/^albedo-sealed:1:/)]);

  // While the server runs.
  const before = texts();
  const said: string[] = [];
  const config = readConfig({ ALBEDO_DATA: dataDir, ALBEDO_KEY_FILE: keyFile });
  expect(await rotateKeys(config, (line) => said.push(line))).toBe(0);
  expect(said.join()).toContain(`${before.length} secrets`);
  expect(readFileSync(keyFile, 'utf8')).not.toContain(one);
  for (const [at, [, text]] of texts().entries()) expect(text).not.toBe(before[at]?.[1]);
  await sealed.stop();

  const copy = join(folder, 'copy');
  cpSync(dataDir, copy, { recursive: true });
  await expect(startTestCloud({ ALBEDO_DATA: copy, ALBEDO_KEY: one })).rejects.toThrow(
    /Give the right one with/,
  );
  await expect(startTestCloud({ ALBEDO_DATA: copy })).rejects.toThrow(/no key is given/);
  await renewKey(config, 'sessions', [], (line) => said.push(line));
  const again = await start({ ALBEDO_KEY_FILE: keyFile });
  expect((await again.call('GET', 'me', { token: session })).status).toBe(200);
  const newer = await again.owner();
  await again.stop();
  const { signed } = await sessionKeys(config);
  expect([signed(session), signed(newer)]).toEqual([1, 0]);
  await renewKey(config, 'sessions', ['--at-once'], (line) => said.push(line));
  const after = await sessionKeys(config);
  expect([after.signed(session), after.signed(newer)]).toEqual([-1, -1]);
}, 120_000);

function flipped(text: string, bit: number): string {
  const bytes = Buffer.from(text);
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return bytes.toString();
}

/** Which key of the sessions signed a token, from the newest on; -1: none that is taken. */
async function sessionKeys(config: Config) {
  const ring = await openKeyRing(config);
  const name = 'secrets/session.pem';
  const text = await ring.open(readFileSync(join(config.dataDir, name), 'utf8'), name);
  const keys = keysIn(text);
  return {
    signed: (token: string) => {
      const [head = '', body = '', signature = ''] = token.split('.');
      return keys.findIndex((key) =>
        verify(
          null,
          Buffer.from(`${head}.${body}`),
          createPublicKey(key),
          Buffer.from(signature, 'base64url'),
        ),
      );
    },
  };
}
