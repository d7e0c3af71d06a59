import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
/** Where the cloud looks for the Node of agent packs (`RUNTIMES` of packs.service.ts). */
const RUNTIMES = join(ROOT, 'node_modules/.cache/albedo-runtimes');
/** Processors of devices for which Node is published; there is none of Node 24 for 32-bit ARM. */
const PROCESSORS = ['x64', 'arm64'] as const;

interface Lock {
  packages: Record<string, { version: string; integrity: string } | undefined>;
}

/**
 * Fetches Node for devices with other processors than this machine's, so that their agent packs hold it too: the package
 * that package-lock.json names, with the checksum that it has there. Without a registry such packs ask for an installed
 * Node, as `say` tells.
 */
export async function fetchRuntimes(say: (text: string) => void): Promise<void> {
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
  for (const processor of PROCESSORS) {
    const name = `node-linux-${processor}`;
    const locked = packages[`node_modules/${name}`];
    if (processor === process.arch || !locked) continue;
    const folder = join(RUNTIMES, `${locked.version}-${processor}`);
    if (existsSync(join(folder, 'node'))) continue;
    try {
      await fetchRuntime(`${name}@${locked.version}`, locked.integrity, folder);
    } catch (error) {
      const [line = ''] = (error as Error).message.split('\n');
      say(`Agent packs for ${processor} come without Node: ${line}`);
    }
  }
}

async function fetchRuntime(spec: string, integrity: string, folder: string): Promise<void> {
  await mkdir(RUNTIMES, { recursive: true });
  const fresh = await mkdtemp(join(RUNTIMES, 'new-'));
  try {
    const { stdout } = await run('npm', [
      'pack',
      spec,
      '--silent',
      '--prefer-offline',
      '--pack-destination',
      fresh,
    ]);
    const archive = join(fresh, stdout.trim());
    const sum = createHash('sha512')
      .update(await readFile(archive))
      .digest('base64');
    if (`sha512-${sum}` !== integrity) throw new Error(`${spec} is not the one of package-lock.json`);
    await run('tar', ['-xzf', archive, '-C', fresh, '--strip-components=2', 'package/bin/node']);
    await rm(archive);
    await rename(fresh, folder);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    throw error;
  }
}
