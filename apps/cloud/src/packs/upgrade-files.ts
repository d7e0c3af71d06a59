import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentBuild, UpgradeManifest } from '@albedo/contract/upgrades/upgrades.schema';

/** A file of the agent as it is sent to devices that are upgraded. */
export type UpgradeFile = UpgradeManifest['files'][number] & { bytes: Buffer };

/** What an upgrade replaces: the program, and the compiled part of its terminal. */
export async function upgradeFiles(agentDist: string, processor: string): Promise<UpgradeFile[]> {
  const pty = await readdir(join(agentDist, 'pty', processor)).catch(() => []);
  const paths = ['agent.mjs', ...pty.toSorted().map((name) => `pty/${processor}/${name}`)];
  return Promise.all(
    paths.map(async (path) => {
      const bytes = await readFile(join(agentDist, path));
      return { path, size: bytes.length, sha256: hashOf(bytes), mode: 0o644 as const, bytes };
    }),
  );
}

export async function agentBuildOf(agentDist: string, version: string): Promise<AgentBuild> {
  const file = join(agentDist, 'agent.mjs');
  const [bytes, { mtimeMs }] = await Promise.all([readFile(file), stat(file)]);
  const sha256 = hashOf(bytes);
  return {
    version,
    build: sha256.slice(0, 12),
    sha256,
    sizeBytes: bytes.length,
    builtAt: Math.round(mtimeMs),
  };
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
