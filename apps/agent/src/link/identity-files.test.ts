import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAuthority } from '@albedo/pki/authority';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rootAt } from '../root.ts';
import { IdentityFiles } from './identity-files.ts';

const mqtt = {
  ...{ hostname: 'localhost', port: 8883 },
  ...{ cacertfile: '/keys/ca.crt', certfile: '/keys/client.crt', keyfile: '/keys/client.key' },
};
let folder = '';
let files: IdentityFiles;
const at = (name: string) => join(folder, 'keys', name);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-identity-'));
  mkdirSync(join(folder, 'keys'));
  const authority = await openAuthority(join(folder, 'ca'));
  const { certPem, keyPem } = await authority.issueDevice('first', 'main');
  writeFileSync(at('ca.crt'), authority.caPem);
  writeFileSync(at('client.crt'), certPem);
  writeFileSync(at('client.key'), keyPem);
  files = new IdentityFiles(rootAt(folder), mqtt);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A certificate of the authority of `ca` for the key that the device has just made. */
async function certify(device: string, ca = 'ca'): Promise<string> {
  const { publicKey } = files.makeKey('x'.repeat(44));
  const authority = await openAuthority(join(folder, ca));
  return (await authority.certifyDevice(device, 'main', publicKey)).certPem;
}

test('a new pair is on trial beside the old one until it was taken', async () => {
  files.install(await certify('second'));
  expect(files.read(true)).toMatchObject({ device: 'second', place: 'next' });
  expect(files.read(false)).toMatchObject({ device: 'first', place: 'own' });
  files.promote();
  expect(files.read(true)).toMatchObject({ device: 'second', place: 'own' });
  expect(files.hasNext).toBe(false);
});

test('wherever the power fails, there is a whole pair', async () => {
  const certificate = await certify('second');
  // The key is there and no certificate for it.
  expect(files.read(true)).toMatchObject({ device: 'first', place: 'own' });
  files.install(certificate);
  // Between the two renames of the change.
  renameSync(at('client.key.next'), at('client.key'));
  expect(files.read(false)).toMatchObject({ device: 'second', place: 'next' });
  files.promote();
  expect(files.read(false)).toMatchObject({ device: 'second', place: 'own' });
  expect(existsSync(at('client.crt.next'))).toBe(false);
});

test('a key that is damaged, or another one, is told with its file', async () => {
  const good = readFileSync(at('client.key'));
  for (const damaged of [Buffer.alloc(0), good.subarray(0, 60), Buffer.alloc(good.length)]) {
    writeFileSync(at('client.key'), damaged);
    expect(() => files.read(false)).toThrow(`${at('client.key')} is no private key: `);
  }
  writeFileSync(at('client.key'), good);
  await certify('second');
  copyFileSync(at('client.key.next'), at('client.key'));
  rmSync(at('client.key.next'));
  expect(() => files.read(false)).toThrow(`is not the key of the certificate ${at('client.crt')}`);
});

test('a pair that was taken and is refused later gives its place back, until it has proven itself', async () => {
  files.install(await certify('second'));
  files.promote();
  expect(files.read(true, true)).toMatchObject({ device: 'first', place: 'before' });
  expect(files.read(true)).toMatchObject({ device: 'second', place: 'own' });
  // Cut off between the two copies of the way back.
  copyFileSync(at('client.key.before'), at('client.key'));
  expect(files.read(true)).toMatchObject({ device: 'first', place: 'before' });
  files.goBack();
  expect(files.read(true, true)).toMatchObject({ device: 'first', place: 'own' });
  expect(files.hasBefore).toBe(false);

  files.install(await certify('third'));
  files.promote();
  files.forgetBefore();
  expect(files.read(true, true)).toMatchObject({ device: 'third', place: 'own' });
});

test('half a file on trial is passed over', async () => {
  files.install(await certify('second'));
  writeFileSync(at('client.crt.next'), readFileSync(at('client.crt.next')).subarray(0, 100));
  expect(files.read(true)).toMatchObject({ device: 'first', place: 'own' });
});

test('a certificate of another key or another authority is not taken', async () => {
  await certify('second');
  copyFileSync(at('client.crt'), at('old'));
  expect(() => files.install(readFileSync(at('old'), 'utf8'))).toThrow('another key');
  const foreign = await certify('second', 'other');
  expect(() => files.install(foreign)).toThrow('an authority that this device does not trust');
  files.discard();
  expect(() => files.install(foreign)).toThrow('no new key');
  expect(files.read(true)).toMatchObject({ device: 'first', place: 'own' });
});
