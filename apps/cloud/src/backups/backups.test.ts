import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askServer } from '../command-line/control.client.ts';
import { auditOf, OWNER, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { writeBackup } from './backup.archive.ts';
import { restoreBackup, verifyBackup } from './backup.command.ts';
import { outdated } from './retention.ts';

const folder = mkdtempSync(join(tmpdir(), 'albedo-backup-'));
const keyFile = join(folder, 'key.txt');
let recipient = '';
let cloud: TestCloud;
let backup = '';
const quiet = () => {};

beforeAll(async () => {
  const identity = await generateIdentity();
  recipient = await identityToRecipient(identity);
  writeFileSync(keyFile, `# created: today\n# public key: ${recipient}\n${identity}\n`);
  cloud = await startTestCloud();
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
  const restored = await startTestCloud({ ALBEDO_DATA: to });
  const { body: devices } = await restored.call('GET', 'devices/main', { token });
  expect(JSON.stringify(devices)).toContain('Before the backup');
  expect(JSON.stringify(devices)).not.toContain('After the backup');
  const audit = JSON.stringify(await auditOf(restored, 'main'));
  expect(audit).toContain('Before the backup');
  expect((await restored.call('POST', 'auth/local', { body: OWNER })).status).toBe(200);
  const lines: string[] = [];
  await askServer(to, { command: 'audit verify', args: [] }, (line) => lines.push(line));
  expect(lines.at(-1)).toBe('Every audit log is whole.');
  await restored.stop();
  await expect(restoreBackup([backup, '--identity', keyFile, '--to', to], quiet)).rejects.toThrow(
    'is not empty',
  );
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
  await writeBackup(newer, { recipients: [recipient], sources: [], at: new Date(), format: 2 });
  await expect(of(newer)).rejects.toThrow('was made by a newer version (format 2)');
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
});
