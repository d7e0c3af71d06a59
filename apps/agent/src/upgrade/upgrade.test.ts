/** The program of an agent is replaced: whole or not at all, and only by what its own cloud signed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UPGRADE_STEPS, type UpgradeManifest } from '@albedo/contract/upgrades/upgrades.schema';
import { openAuthority } from '@albedo/pki/authority';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compareVersions, verifiedManifest } from './manifest.ts';
import { type Program, programAt, readEnd, readTrial } from './program.ts';
import { confirmTrial, settleTrial } from './trial.ts';

const DEVICE = '7d7bf6b4-3f3e-4e9d-9d3e-0c1f6f8f0a01';
const DAY_MS = 86_400_000;
let folder = '';
const link = () => join(folder, 'program/agent.mjs');
const programOf = (version: string) => `#!/usr/bin/env node\nconsole.log('${version}');\n`;
const running = () => execFileSync(process.execPath, [link(), '-v'], { encoding: 'utf8' }).trim();

function manifestOf(files: Record<string, string>, version = '2.0.0'): UpgradeManifest {
  return {
    for: 'albedo-agent-upgrade/1',
    id: crypto.randomUUID(),
    device: DEVICE,
    version,
    expiresAt: Date.now() + DAY_MS,
    node: 24,
    files: Object.entries(files).map(([path, text]) => ({
      path,
      size: Buffer.byteLength(text),
      sha256: createHash('sha256').update(text).digest('hex'),
      mode: 0o644 as const,
    })),
  };
}

/** Installs in a process of its own, which is killed at `dieAt`; answers what the guard would run. */
function installAnd(dieAt: string, manifest: UpgradeManifest, bytes: string): { status: number | null } {
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'bytes'), bytes);
  const child = join(import.meta.dirname, 'upgrade.step-child.ts');
  const args = [child, link(), join(folder, 'manifest.json'), join(folder, 'bytes'), dieAt];
  const PATH = `${join(folder, 'bin')}:${process.env.PATH}`;
  return spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, PATH } });
}
/** What `at` would do a few minutes later; `systemctl` only notes that it was called. */
const guard = () =>
  spawnSync('bash', [join(folder, 'guard')], {
    env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
  });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-upgrade-'));
  mkdirSync(join(folder, 'program'));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(link(), programOf('1.0.0'));
  const tool = (name: string, text: string) => {
    writeFileSync(join(folder, 'bin', name), `#!/bin/bash\n${text}\n`);
    chmodSync(join(folder, 'bin', name), 0o755);
  };
  tool('at', `cat >${folder}/guard`);
  tool('systemctl', `echo "$@" >>${folder}/systemctl`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cutOff = ({ versions }: Program) =>
  existsSync(versions) ? readdirSync(versions).filter((name) => name.startsWith('.new-')) : [];

test('killed at any step, the service starts the old version or the new one', async () => {
  const files = { 'agent.mjs': programOf('2.0.0'), 'pty/x64/a.node': 'x'.repeat(5000) };
  const bytes = Object.values(files).join('');
  for (const step of UPGRADE_STEPS.slice(1)) {
    rmSync(join(folder, 'program'), { recursive: true });
    mkdirSync(join(folder, 'program'));
    writeFileSync(link(), programOf('1.0.0'));
    const manifest = manifestOf(files);
    const { status } = installAnd(step, manifest, bytes);
    expect([step, status]).toEqual([step, null]);
    const now = running();
    expect([step, now]).toEqual([step, step === 'switched' ? '2.0.0' : '1.0.0']);
    const program = programAt(link());
    if (!program) throw new Error('no program');
    // The version that starts cleans up, and the next attempt goes through.
    await settleTrial(program, now, { warn: () => {} });
    expect([step, readTrial(program.trialFile)?.id]).toEqual([
      step,
      step === 'switched' ? manifest.id : undefined,
    ]);
    expect([step, cutOff(program)]).toEqual([step, []]);
    if (step === 'switched') continue;
    expect([step, installAnd('', manifestOf(files), bytes).status]).toEqual([step, 0]);
    expect([step, running()]).toEqual([step, '2.0.0']);
  }
}, 60_000);

test('a version that nobody confirmed goes, and one that was confirmed stays', async () => {
  const text = programOf('2.0.0');
  const program = programAt(link());
  if (!program) throw new Error('no program');
  const log = { warn: () => {} };
  const lost = manifestOf({ 'agent.mjs': text });
  expect(installAnd('', lost, text).status).toBe(0);
  expect(running()).toBe('2.0.0');
  guard();
  expect(running()).toBe('1.0.0');
  expect(readFileSync(join(folder, 'systemctl'), 'utf8')).toBe('restart albedo\n');
  await settleTrial(program, '1.0.0', log);
  expect(readEnd(program)).toMatchObject({ id: lost.id, outcome: 'returned', from: '1.0.0', to: '2.0.0' });

  const good = manifestOf({ 'agent.mjs': text });
  expect(installAnd('', good, text).status).toBe(0);
  await settleTrial(program, '2.0.0', log);
  expect(await confirmTrial(program, lost.id, '2.0.0')).toBe(false);
  expect(await confirmTrial(program, good.id, '2.0.0')).toBe(true);
  guard();
  expect(running()).toBe('2.0.0');
  expect(readEnd(program)).toMatchObject({ id: good.id, outcome: 'done' });
  // The guard of one upgrade does nothing to the next one.
  const next = programOf('3.0.0');
  const late = readFileSync(join(folder, 'guard'));
  expect(installAnd('', manifestOf({ 'agent.mjs': next }, '3.0.0'), next).status).toBe(0);
  writeFileSync(join(folder, 'guard'), late);
  guard();
  expect(running()).toBe('3.0.0');
}, 60_000);

test('what is not as it was signed, or does not run, never gets its turn', () => {
  const good = programOf('2.0.0');
  const broken = 'import "./nothing.mjs";\n';
  const wrong = programOf('2.0.1');
  for (const [manifest, bytes, why] of [
    [manifestOf({ 'agent.mjs': good }), good.replace('2', '3'), /not what was signed/],
    [manifestOf({ 'agent.mjs': good }), good.slice(0, -1), /Less came/],
    [manifestOf({ 'agent.mjs': broken }), broken, /does not run on this machine/],
    [manifestOf({ 'agent.mjs': wrong }), wrong, /says that it is 2\.0\.1/],
  ] as const) {
    const { status, stderr } = installAnd('', manifest, bytes) as { status: number; stderr: string };
    expect(status).toBe(1);
    expect(stderr).toMatch(why);
    expect(running()).toBe('1.0.0');
    expect(existsSync(join(folder, 'program/versions/trial.json'))).toBe(false);
  }
}, 30_000);

test('only the cloud of this device signs, for this device, once, and nothing older', async () => {
  const authority = await openAuthority(join(folder, 'ca'));
  const other = await openAuthority(join(folder, 'other'));
  const manifest = manifestOf({ 'agent.mjs': 'x' });
  const options = { caPem: authority.caPem, device: DEVICE, version: '1.0.0' };
  const signed = async (change: Partial<UpgradeManifest> = {}, by = authority) => {
    const text = JSON.stringify({ ...manifest, ...change });
    return { manifest: text, ...(await by.signRelease(text)) };
  };
  expect(verifiedManifest(await signed(), options).version).toBe('2.0.0');
  const own = await signed();
  expect(() => verifiedManifest({ ...own, manifest: `${own.manifest} ` }, options)).toThrow(/signature/);
  expect(() => verifiedManifest({ ...own, signature: '' }, options)).toThrow(/signature/);
  const foreign = await signed({}, other);
  expect(() => verifiedManifest(foreign, options)).toThrow(/signature/);
  // A device has a certificate of the same authority, and a key: for its connection alone.
  const { sign } = await import('node:crypto');
  const device = await authority.issueDevice(DEVICE, 'main');
  const forged = {
    manifest: own.manifest,
    certificate: device.certPem,
    signature: sign('sha256', Buffer.from(own.manifest), device.keyPem).toString('base64'),
  };
  expect(() => verifiedManifest(forged, options)).toThrow(/signature/);
  const refusals: [Partial<UpgradeManifest>, RegExp][] = [
    [{ device: crypto.randomUUID() }, /another device/],
    [{ expiresAt: Date.now() - 1 }, /expired/],
    [{ version: '0.9.9' }, /older than 1\.0\.0/],
    [{ version: '1.0.0' }, /is 1\.0\.0 already/],
    [{ node: 999 }, /needs Node 999/],
    [{ files: [] }, /cannot be read/],
    [{ files: [{ path: '../etc/x', size: 0, sha256: '0'.repeat(64), mode: 0o644 }] }, /cannot be read/],
  ];
  for (const [change, why] of refusals) {
    const one = await signed(change);
    expect(() => verifiedManifest(one, options)).toThrow(why);
  }
  expect(compareVersions('1.10.0', '1.9.9')).toBeGreaterThan(0);
});
