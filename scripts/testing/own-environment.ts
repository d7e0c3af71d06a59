/**
 * Runs before each test file: it has a home without anybody's start-up files in it, and whatever it or a library changes in
 * the environment is as before when the next file begins in this process.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const home = mkdtempSync(join(tmpdir(), 'albedo-home-'));
const given = { ...process.env };
process.env.HOME = home;
afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in given)) delete process.env[name];
  Object.assign(process.env, given);
  rmSync(home, { recursive: true, force: true });
});
