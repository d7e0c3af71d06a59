import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askServer } from '../command-line/control.client.ts';
import { makeKey } from '../secrets/key-ring.ts';
import { SmallS3 } from '../testing/small-s3.ts';
import { auditOf, OWNER, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { writeBackup } from './backup.archive.ts';
import { restoreBackup, verifyBackup } from './backup.command.ts';
import { placeAt } from './backup.places.ts';
import { outdated } from './retention.ts';

const folder = mkdtempSync(join(tmpdir(), 'albedo-backup-'));
const keyFile = join(folder, 'key.txt');
const key = makeKey();
let recipient = '';
let cloud: TestCloud;
let backup = '';
const quiet = () => {};

beforeAll(async () => {
  const identity = await generateIdentity();
  recipient = await identityToRecipient(identity);
  writeFileSync(keyFile, `# created: today\n# public key: ${recipient}\n${identity}\n`);
  cloud = await startTestCloud({ ALBEDO_KEY: key });
  const token = await cloud.owner();
  await cloud.call('POST', 'devices/main', { token, body: { name: 'Before the backup' } });
  await auditOf(cloud, 'main');
});
afterAll(() => cloud.stop());

test('a running server is backed up at one moment, and runs on', { timeout: 120_000 }, async () => {
  const to = join(folder, 'kept');
  const args = ['--to', to, '--recipient', recipient];
  const lines: string[] = [];
  const code = await askServer(cloud.dataDir, { command: 'backup create', args }, (line) => lines.push(line));
  expect(lines.join()).toMatch(/albedo-.*\.tar\.zst\.age: \d+ files/);
  expect(code).toBe(0);
  const [name = ''] = readdirSync(to);
  backup = join(to, name);
  expect(statSync(backup).mode & 0o777).toBe(0o600);
  expect(readFileSync(backup).subarray(0, 21).toString()).toBe('age-encryption.org/v1');
  expect(readdirSync(cloud.dataDir)).not.toContain('backup-staging');
  const token = await cloud.owner();
  await cloud.call('POST', 'devices/main', { token, body: { name: 'After the backup' } });
  expect(await verifyBackup([backup, '--identity', keyFile], quiet)).toBe(0);
});

test('on an empty machine it is the server of that moment: records, telemetry and keys', {
  timeout: 90_000,
}, async () => {
  const to = join(folder, 'restored');
  expect(await restoreBackup([backup, '--identity', keyFile, '--to', to], quiet)).toBe(0);
  const kept = readFileSync(join(cloud.dataDir, 'ca/ca.pem'), 'utf8');
  expect(readFileSync(join(to, 'ca/ca.pem'), 'utf8')).toBe(kept);
  const token = await cloud.owner();
  // Its secrets are sealed: without their key nothing starts, and nothing is made anew.
  await expect(startTestCloud({ ALBEDO_DATA: to })).rejects.toThrow(/key/i);
  const restored = await startTestCloud({ ALBEDO_DATA: to, ALBEDO_KEY: key });
  const { body: devices } = await restored.call('GET', 'devices/main', { token });
  expect(JSON.stringify(devices)).toContain('Before the backup');
  expect(JSON.stringify(devices)).not.toContain('After the backup');
  const audit = JSON.stringify(await auditOf(restored, 'main'));
  expect(audit).toContain('Before the backup');
  expect((await restored.call('POST', 'auth/local', { body: OWNER })).status).toBe(200);
  const lines: string[] = [];
  await askServer(to, { command: 'audit verify', args: [] }, (line) => lines.push(line));
  expect(lines.at(-1)).toBe('Every audit log is whole, and so is its searchable copy.');
  await restored.stop();
  await expect(restoreBackup([backup, '--identity', keyFile, '--to', to], quiet)).rejects.toThrow(
    'is not empty',
  );
});

test('what is new since a whole one is a small one, which needs the whole one beside it', {
  timeout: 120_000,
}, async () => {
  const s3 = new SmallS3();
  const bucket = await s3.start();
  const create = async (...more: string[]) => {
    const args = ['--to', bucket, '--recipient', recipient, ...more];
    const lines: string[] = [];
    const code = await askServer(cloud.dataDir, { command: 'backup create', args }, (line) =>
      lines.push(line),
    );
    expect(code, lines.join()).toBe(0);
    expect(lines.join()).not.toContain('ecret');
  };
  try {
    // Nothing to add to at this place yet: it is whole.
    await create('--incremental');
    const [whole = ''] = s3.objects.keys();
    expect(whole).toMatch(/^\/bucket\/below\/albedo-[\dTZ-]+\.tar\.zst\.age$/);
    const token = await cloud.owner();
    await cloud.call('POST', 'devices/main', { token, body: { name: 'Since the whole one' } });
    await create('--incremental');
    const added = [...s3.objects.keys()].find((name) => name !== whole) ?? '';
    expect(added).toContain('.since-');
    expect(s3.objects.get(added)?.length).toBeLessThan((s3.objects.get(whole)?.length ?? 0) / 2);
    expect(s3.uploads.size).toBe(0);

    const address = bucket.replace('/bucket/below', added);
    expect(await verifyBackup([address, '--identity', keyFile], quiet)).toBe(0);
    const to = join(folder, 'added');
    expect(await restoreBackup([address, '--identity', keyFile, '--to', to], quiet)).toBe(0);
    const restored = await startTestCloud({ ALBEDO_DATA: to, ALBEDO_KEY: key });
    const { body: devices } = await restored.call('GET', 'devices/main', { token });
    expect(JSON.stringify(devices)).toContain('Since the whole one');
    await restored.stop();
    // Not one of both may be lost, or be another one.
    const bytes = s3.objects.get(whole) ?? Buffer.alloc(0);
    s3.objects.set(whole, s3.objects.get(added) ?? Buffer.alloc(0));
    await expect(verifyBackup([address, '--identity', keyFile], quiet)).rejects.toThrow('was made to add to');
    s3.objects.delete(whole);
    await expect(verifyBackup([address, '--identity', keyFile], quiet)).rejects.toThrow('There is no http');
    s3.objects.set(whole, bytes);
  } finally {
    s3.stop();
  }
});

test('killed anywhere, a backup is whole or not there', { timeout: 90_000 }, async () => {
  const [from, to] = [join(folder, 'from'), join(folder, 'killed')];
  for (const path of [from, to]) mkdirSync(path);
  for (const name of ['a', 'b', 'c']) writeFileSync(join(from, name), randomBytes(3_000_000));
  const program = join(import.meta.dirname, 'backup.crash-child.ts');
  for (let kill = 0; kill < 5; kill++) {
    const child = spawn(process.execPath, [program, from, to, recipient, String(kill)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const gone = once(child, 'exit');
    await once(child.stdout, 'data');
    await new Promise((done) => setTimeout(done, Math.random() * 150));
    child.kill('SIGKILL');
    await gone;
  }
  const names = readdirSync(to).filter((name) => name.endsWith('.age'));
  expect(names.length).toBeGreaterThanOrEqual(5);
  for (const name of names)
    expect(await verifyBackup([join(to, name), '--identity', keyFile], quiet)).toBe(0);
  // What is left of those that were under way goes with the next one.
  const place = await placeAt(to);
  await writeBackup(place, 'albedo-last.tar.zst.age', {
    recipients: [recipient],
    sources: [],
    at: new Date(),
  });
  expect(readdirSync(to).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('one that is cut short, damaged, of a newer version or for another key is refused in a sentence', {
  timeout: 120_000,
}, async () => {
  const of = (path: string, key = keyFile) => verifyBackup([path, '--identity', key], quiet);
  const other = join(folder, 'other.txt');
  writeFileSync(other, await generateIdentity());
  await expect(of(backup, other)).rejects.toThrow('was made for another key.');

  const bytes = readFileSync(backup);
  const bad = join(folder, 'bad.age');
  for (const length of [10, Math.floor(bytes.length / 2), bytes.length - 1]) {
    writeFileSync(bad, bytes);
    truncateSync(bad, length);
    await expect(of(bad), `${length} bytes`).rejects.toThrow('damaged or cut short.');
  }
  const flipped = Buffer.from(bytes);
  flipped[Math.floor(bytes.length / 3)] = (flipped[Math.floor(bytes.length / 3)] ?? 0) ^ 1;
  writeFileSync(bad, flipped);
  await expect(of(bad)).rejects.toThrow('damaged or cut short.');

  const newer = join(folder, 'newer.age');
  const place = await placeAt(folder);
  const of3 = { recipients: [recipient], sources: [], at: new Date(), format: 3 };
  await writeBackup(place, 'newer.age', of3);
  await expect(of(newer)).rejects.toThrow('was made by a newer version (format 3)');
  await expect(
    restoreBackup([newer, '--identity', keyFile, '--to', join(folder, 'none')], quiet),
  ).rejects.toThrow();
  expect(readdirSync(folder)).not.toContain('none');
});

test('the programs age and zstd of a distribution read it', (context) => {
  const tools = ['age', 'zstd'].map((tool) => spawnSync(tool, ['--version']).error);
  if (tools.some(Boolean)) return context.skip();
  const list = spawnSync('sh', ['-c', `age -d -i ${keyFile} ${backup} | zstd -d | tar -t`], {
    encoding: 'utf8',
  });
  expect(list.stdout).toContain('checksums.json');
});

test('seven days, four weeks and twelve months of backups are kept', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 0, 1 + day, 1, 30)).toISOString();
  const names = Array.from(
    { length: 500 },
    (_, day) => `albedo-${at(day).slice(0, 19).replaceAll(':', '-')}Z.tar.zst.age`,
  );
  const gone = new Set(outdated([...names, 'notes.txt']));
  const kept = names.filter((name) => !gone.has(name));
  expect(kept.slice(-7)).toEqual(names.slice(-7));
  expect(kept.length).toBeGreaterThanOrEqual(18);
  expect(kept.length).toBeLessThanOrEqual(7 + 4 + 12);
  expect(gone.has('notes.txt')).toBe(false);
  // A whole one stays with what adds to it.
  const added = names.map((name, day) => {
    const whole = names[day - (day % 7)] ?? '';
    return day % 7 === 0 ? name : name.replace('.tar', `.since-${whole.slice(7, 27)}.tar`);
  });
  const goneToo = new Set(outdated(added));
  const left = added.filter((name) => !goneToo.has(name));
  for (const name of left) {
    const base = /since-([^.]+)/.exec(name)?.[1];
    if (base) expect(left).toContain(`albedo-${base}.tar.zst.age`);
  }
  expect(left.length).toBeLessThanOrEqual((7 + 4 + 12) * 2);
  // Both may be made within one second, and places list them in any order.
  const second = '2026-01-01T01-30-00Z';
  const both = [`albedo-${second}.tar.zst.age`, `albedo-${second}.since-${second}.tar.zst.age`];
  expect([outdated(both), outdated(both.toReversed())]).toEqual([[], []]);
});
