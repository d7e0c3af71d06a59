import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentBuild, UpgradeManifest } from '@albedo/contract/upgrades/upgrades.schema';

/** Whose plugins a device runs: the root of their publisher. */
const PLUGINS_ROOT = 'plugins-root.json';

/** A file of the agent as it is sent to devices that are upgraded. */
export type UpgradeFile = UpgradeManifest['files'][number] & { bytes: Buffer };

/** Programs that lie beside the agent's. */
export const TOOLS = ['ardpkg.mjs', 'albedoctl.mjs'] as const;

/** What an upgrade replaces: the program with its tools, the compiled part of its terminal, and whose plugins it runs. */
export async function upgradeFiles(
  agentDist: string,
  processor: string,
  pluginsRoot: string | null,
): Promise<UpgradeFile[]> {
  const pty = await readdir(join(agentDist, 'pty', processor)).catch(() => []);
  const tools = TOOLS.filter((name) => existsSync(join(agentDist, name)));
  const paths = ['agent.mjs', ...tools, ...pty.toSorted().map((name) => `pty/${processor}/${name}`)];
  const fileOf = (path: string, bytes: Buffer): UpgradeFile => ({
    path,
    size: bytes.length,
    sha256: hashOf(bytes),
    mode: 0o644,
    bytes,
  });
  const programs = await Promise.all(
    paths.map(async (path) => fileOf(path, await readFile(join(agentDist, path)))),
  );
  return pluginsRoot === null ? programs : [...programs, fileOf(PLUGINS_ROOT, Buffer.from(pluginsRoot))];
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
