/** Other keys are taken step by step; whoever pulls the plug between two of them finds every secret opened by what is there. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KeyRing, makeKey } from './key-ring.ts';

const ALBEDO = join(import.meta.dirname, '../albedo.ts');
const KILLER = join(import.meta.dirname, '../testing/killed-at-rename.mjs');
const SECRETS = ['secrets/session.pem', 'secrets/mfa', 'secrets/idp', 'ca/ca.key'];
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-keys-'));
  const key = makeKey();
  writeFileSync(keyFile(), `${key}\n`);
  for (const place of ['secrets', 'ca']) mkdirSync(join(folder, place));
  for (const name of SECRETS) writeFileSync(join(folder, name), new KeyRing([key]).close(name, name));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const keyFile = () => join(folder, 'key');
const keys = () => readFileSync(keyFile(), 'utf8').trim().split('\n');

function rotate(killedAt: number) {
  return spawnSync(process.execPath, ['--import', KILLER, ALBEDO, 'keys', 'rotate'], {
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      ALBEDO_DATA: folder,
      ALBEDO_KEY_FILE: keyFile(),
      KILLED_AT_RENAME: String(killedAt),
    },
  });
}

test('killed before any step of a rotation, every secret opens, and the next one ends it', async () => {
  const opened = async () => {
    const ring = new KeyRing(keys());
    return Promise.all(SECRETS.map((name) => ring.open(readFileSync(join(folder, name), 'utf8'), name)));
  };
  const [old] = keys();
  // Both keys, each secret, the new key alone.
  const steps = SECRETS.length + 2;
  for (let step = 1; step <= steps; step++) {
    expect(rotate(step).signal, `step ${step}`).toBe('SIGKILL');
    expect(await opened(), `step ${step}`).toEqual(SECRETS);
  }
  const whole = rotate(0);
  expect(whole.stdout, whole.stderr).toContain(`${SECRETS.length} secrets are sealed with a new key`);
  expect(await opened()).toEqual(SECRETS);
  expect(keys()).toHaveLength(1);
  expect(keys()).not.toContain(old);
}, 120_000);
