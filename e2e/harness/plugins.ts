import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const HOUSE = join(import.meta.dirname, '../..');

/** Puts the plugins below the root of an agent as its pack does, running from their sources. */
export function installPlugins(root: string): void {
  const folder = join(root, 'usr/local/bin');
  mkdirSync(folder, { recursive: true });
  for (const plugin of ['sunspec', 'modbus']) {
    const file = join(folder, `${plugin}_albedo`);
    const program = join(HOUSE, 'plugins', plugin, 'src/main.ts');
    writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
    chmodSync(file, 0o755);
  }
}

/** A simulated plant at noon in June; the port is taken from the system. */
export async function servePlant(plant: string): Promise<{ port: number; stop: () => void }> {
  const program = join(HOUSE, 'apps/simulator/src/main.ts');
  const args = ['serve', '--plant', plant, '--port', '0', '--start', '2026-06-14T12:00:00Z'];
  const child: ChildProcess = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line');
  return { port: Number(String(line).split(' ')[1]), stop: () => void child.kill() };
}
