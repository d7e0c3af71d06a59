import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HeldError, takePidFile, waitForPidFile } from './pid-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-pid-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a second taker is refused with name and process until the first releases', () => {
  const release = takePidFile('sunspec_albedo-/etc/albedo/services/roof', folder);
  expect(readdirSync(folder)).toEqual(['sunspec_albedo-etc-albedo-services-roof.pid']);
  expect(() => takePidFile('sunspec_albedo-/etc/albedo/services/roof', folder)).toThrow(
    `is already running as process ${process.pid}`,
  );
  release();
  takePidFile('sunspec_albedo-/etc/albedo/services/roof', folder)();
});

test('the file of a process that was killed, or whose number another one has now, is taken over', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  writeFileSync(join(folder, 'line.pid'), `${child.pid} 1\n`);
  takePidFile('line', folder)();
  const { pid } = child;
  child.kill('SIGKILL');
  await once(child, 'exit');
  writeFileSync(join(folder, 'line.pid'), `${pid}\n`);
  takePidFile('line', folder)();
  expect(existsSync(join(folder, 'line.pid'))).toBe(false);
});

test('one that waits gets the file when it is free, and gives up with its signal', async () => {
  const release = takePidFile('line', folder);
  const waiting = waitForPidFile('line', new AbortController().signal, folder);
  release();
  (await waiting)();
  takePidFile('line', folder);
  await expect(waitForPidFile('line', AbortSignal.abort(), folder)).rejects.not.toBeInstanceOf(HeldError);
});
