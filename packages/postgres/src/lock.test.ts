import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockDataFolder } from './lock.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function lockInOtherProcess() {
  const program = `
    import { lockDataFolder } from ${JSON.stringify(join(import.meta.dirname, 'lock.ts'))};
    lockDataFolder(${JSON.stringify(folder)});
    console.log('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface({ input: child.stdout }), 'line');
  return child;
}

test('a folder that another process holds is refused with a line that names the folder and the process', async () => {
  const child = await lockInOtherProcess();
  expect(() => lockDataFolder(folder)).toThrow(
    `The data folder ${folder} is in use by process ${child.pid} on `,
  );
  child.kill('SIGKILL');
  await once(child, 'exit');
  lockDataFolder(folder).release();
});

test('only the user of the process may enter the folder, also where it was open before', () => {
  chmodSync(folder, 0o755);
  lockDataFolder(folder).release();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const fresh = join(folder, 'fresh');
  lockDataFolder(fresh).release();
  expect(statSync(fresh).mode & 0o777).toBe(0o700);
});

test('a lock is taken once within one process too, and can be taken again after its release', () => {
  const lock = lockDataFolder(folder);
  expect(() => lockDataFolder(folder)).toThrow(`process ${process.pid}`);
  lock.release();
  lockDataFolder(folder).release();
});
