import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from './run.ts';

export interface ServedEngine {
  url: string;
  stop(): Promise<void>;
}

/** A port of the loopback interface that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = address && typeof address === 'object' ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/** Starts Debian's PostgreSQL on a fresh folder; as root it runs as the user postgres, since it refuses root. */
export async function startPostgres(binary: string): Promise<ServedEngine> {
  const bin = dirname(binary);
  const folder = mkdtempSync(join(tmpdir(), 'albedo-postgres-'));
  const port = await freePort();
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    const id = await run('id', ['-u', 'postgres'], { quiet: true });
    const group = await run('id', ['-g', 'postgres'], { quiet: true });
    chownSync(folder, Number(id.output), Number(group.output));
  }
  const as = (command: string, args: string[]): [string, string[]] =>
    isRoot ? ['runuser', ['-u', 'postgres', '--', join(bin, command), ...args]] : [join(bin, command), args];
  const made = await run(
    ...as('initdb', ['-D', folder, '-U', 'albedo', '-A', 'trust', '-E', 'UTF8', '--no-sync']),
    {
      quiet: true,
      cwd: folder,
    },
  );
  if (made.code !== 0) throw new Error(`initdb failed:\n${made.output}`);
  const options = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories=${folder} -c fsync=off -c max_connections=200`;
  const started = await run(
    ...as('pg_ctl', ['-D', folder, '-w', '-l', join(folder, 'log'), '-o', options, 'start']),
    {
      quiet: true,
      cwd: folder,
    },
  );
  if (started.code !== 0) throw new Error(`PostgreSQL did not start:\n${started.output}`);
  return {
    url: `postgres://albedo@127.0.0.1:${port}/postgres`,
    async stop() {
      await run(...as('pg_ctl', ['-D', folder, '-m', 'immediate', 'stop']), { quiet: true, cwd: folder });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts Debian's Redis without persistence. */
export async function startRedis(binary: string): Promise<ServedEngine> {
  const port = await freePort();
  const child = spawn(
    binary,
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await printed(child, 'Ready to accept connections');
  return { url: `redis://127.0.0.1:${port}`, stop: () => ended(child) };
}

function printed(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(text)) resolve();
    });
    child.on('error', reject);
    child.on('close', (code) => reject(new Error(`ended with ${code} before it was ready:\n${output}`)));
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.on('close', () => resolve());
    child.kill('SIGTERM');
  });
}
