import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLOUD_ENV, CLOUD_FLAGS } from '../demo/src/cloud-program.ts';

const MAIN = join(import.meta.dirname, '../apps/cloud/src/main.ts');

/** Starts the cloud as a process of its own and answers when it is ready. Throws when it ends before. */
export async function startCloudProcess(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort();
  const child = spawn(process.execPath, [...CLOUD_FLAGS, MAIN], {
    env: {
      ...CLOUD_ENV,
      ...process.env,
      ALBEDO_DATA: dataDir,
      ALBEDO_PORT: String(port),
      ALBEDO_MQTT_PORT: '0',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`The cloud ended with ${child.exitCode}.`);
    await sleep(50);
  }
  return { child, url };
}

/** Asks the process to stop and waits until it did. */
export async function stopCloudProcess(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}
