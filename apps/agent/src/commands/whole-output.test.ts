import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReplyMessage } from '@albedo/contract/link/link.messages';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Commands } from './commands.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-outputs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function run(cmd: string, to = folder): Promise<ReplyMessage> {
  const { promise, resolve } = Promise.withResolvers<ReplyMessage>();
  await new Commands(resolve, to).run({ correlationId: 'one/../two', cmd, timeoutS: 20, disown: false });
  return promise;
}

test('all of an output that is cut lies on the device, under a name of its own', async () => {
  const reply = await run('head -c 3000000 /dev/zero | tr "\\0" x; echo short >&2');
  expect(reply.stdout).toMatch(/\[cut: \d+ more (bytes|characters)\]\n$/);
  expect(reply).toMatchObject({ stdoutFile: join(folder, 'onetwo.stdout'), stderrFile: null });
  expect(readFileSync(join(folder, 'onetwo.stdout'), 'utf8')).toBe('x'.repeat(3_000_000));
});

test('short outputs leave no file, and of the long ones the newest stay', async () => {
  expect(await run('echo hello')).toMatchObject({ stdout: 'hello\n', stdoutFile: null });
  for (let n = 0; n < 25; n++) {
    writeFileSync(join(folder, `old-${n}`), '');
    utimesSync(join(folder, `old-${n}`), n, n);
  }
  await run('head -c 30000 /dev/zero');
  const names = readdirSync(folder);
  expect(names).toHaveLength(20);
  expect(names).toContain('onetwo.stdout');
  expect(names).not.toContain('old-0');
});

test('a disk that takes nothing costs the file and not the command', async () => {
  writeFileSync(join(folder, 'file'), '');
  const reply = await run('head -c 30000 /dev/zero | tr "\\0" x', join(folder, 'file/below'));
  expect(reply).toMatchObject({ returnCode: 0, stdoutFile: null });
  expect(reply.stdout).toHaveLength(30_000);
});
