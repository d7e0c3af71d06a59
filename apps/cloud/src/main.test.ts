import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
let dataDir = '';
const children: ChildProcess[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'albedo-main-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

interface Run {
  child: ChildProcess;
  output: () => string;
  /** Resolves with what was printed when it holds the text. */
  says(text: string): Promise<string>;
  ended(): Promise<number | null>;
}

function run(env: Record<string, string>): Run {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, ALBEDO_DATA: dataDir, ALBEDO_PORT: '0', ALBEDO_MQTT_PORT: '0', ...env },
  });
  children.push(child);
  const closed = once(child, 'close');
  let printed = '';
  const take = (chunk: Buffer) => {
    printed += chunk.toString();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  return {
    child,
    output: () => printed,
    says: async (text) => {
      while (!printed.includes(text)) {
        await Promise.race([once(child.stdout, 'data'), closed]);
        if (child.exitCode !== null && !printed.includes(text)) throw new Error(`it ended: ${printed}`);
      }
      return printed;
    },
    ended: async () => {
      await closed;
      return child.exitCode;
    },
  };
}

test('a bad configuration names all its faults on one line and starts nothing', async () => {
  const cloud = run({ ALBEDO_PORT: 'x', REDIS_URL: 'nowhere', ALBEDO_ROLES: 'ingest' });
  expect(await cloud.ended()).toBe(1);
  const lines = cloud.output().trim().split('\n');
  expect(lines).toHaveLength(1);
  for (const name of ['ALBEDO_PORT', 'REDIS_URL', 'DATABASE_URL']) expect(lines[0]).toContain(name);
});

test('one process at a time, the password once, and an orderly end', async () => {
  // A start that comes to nothing has made the owner all the same.
  const neighbour = createServer().listen(0, '127.0.0.1');
  await once(neighbour, 'listening');
  const late = run({ ALBEDO_PORT: String((neighbour.address() as AddressInfo).port) });
  expect(await late.ended()).toBe(1);
  neighbour.close();
  const printed = late.output();
  expect(printed).toContain('EADDRINUSE');
  const password = /First owner: owner@albedo\.local, password (\S+)/.exec(printed)?.[1] ?? '';
  expect(password).not.toBe('');
  const logged = printed.split('\n').filter((line) => line.startsWith('{'));
  expect(logged.join()).not.toContain(password);

  const first = run({});
  await first.says('Albedo is ready');
  const second = run({ LOG_LEVEL: 'warn' });
  expect(await second.ended()).toBe(1);
  expect(second.output()).toMatch(
    new RegExp(`data folder ${dataDir} is in use by process ${first.child.pid}`),
  );

  // Browsers connect ahead, and may never say anything.
  const { port } = new URL(/"url":"([^"]+)"/.exec(await first.says('Albedo is ready'))?.[1] ?? '');
  const silent = connect(Number(port), '127.0.0.1').on('error', () => {});
  await once(silent, 'connect');
  first.child.kill('SIGTERM');
  expect(await first.ended()).toBe(0);

  // Something that nobody catches.
  const boom = "process.on('SIGUSR2',()=>setImmediate(()=>{throw new Error('boom')}))";
  const broken = run({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(boom)}` });
  await broken.says('Albedo is ready');
  broken.child.kill('SIGUSR2');
  expect(await broken.ended()).toBe(70);
  expect(readFileSync(join(dataDir, 'running.json'), 'utf8')).toContain('boom');

  const third = run({});
  await third.says('Albedo is ready');
  expect(third.output()).toMatch(/ended without being stopped/);
  expect(third.output()).toContain('Error: boom');
  expect(readFileSync(join(dataDir, 'secrets/session.pem'), 'utf8')).toContain('PRIVATE KEY');
  third.child.kill('SIGTERM');
  expect(await third.ended()).toBe(0);
  expect(third.output()).not.toContain('First owner');
  expect(existsSync(join(dataDir, 'running.json'))).toBe(false);
  // Five starts, on a machine that may be busy with other tests.
}, 240_000);
