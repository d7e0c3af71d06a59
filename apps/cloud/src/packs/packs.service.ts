import { createReadStream } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';
import type { Arch } from '@albedo/contract/devices/devices.schema';
import { PRODUCT } from '@albedo/contract/product';
import { type Pack, pack as tarPack } from 'tar-stream';
import { AppError } from '../http/app-error.ts';
import { type IdentityRequest, identityFiles } from './identity.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Where the built agent and the built plugins lie. */
export interface PackSources {
  agentDist: string;
  pluginsDir: string;
}

export const PACK_SOURCES: PackSources = {
  agentDist: join(ROOT, 'apps/agent/dist'),
  pluginsDir: join(ROOT, 'plugins'),
};

/** What one pack is made for. */
export interface PackRequest extends IdentityRequest {
  arch: Arch;
}

interface Entry {
  /** Below the pack's folder. */
  name: string;
  content: string | { path: string; size: number };
  mode: number;
}

/** Makes agent packs: gzip tars with the agent, its plugins, and the identity of one device. */
export class Packs {
  readonly #sources: PackSources;

  constructor(sources: PackSources = PACK_SOURCES) {
    this.#sources = sources;
  }

  /** Version of the agent that new packs hold. Throws `pack.not_built`. */
  async version(): Promise<string> {
    const path = join(this.#sources.agentDist, 'version.json');
    const text = await readFile(path, 'utf8').catch(() => {
      throw new AppError('pack.not_built', { missing: path });
    });
    return String((JSON.parse(text) as { version: unknown }).version);
  }

  /** Throws `pack.not_built` when a file of the agent is missing. */
  async requireBuilt(): Promise<void> {
    for (const file of ['agent.mjs', 'install.sh', 'albedo.service', 'version.json']) {
      const path = join(this.#sources.agentDist, file);
      await access(path).catch(() => {
        throw new AppError('pack.not_built', { missing: path });
      });
    }
  }

  /** The pack as a stream. Throws `pack.not_built`. */
  async make(request: PackRequest): Promise<Readable> {
    await this.requireBuilt();
    const entries = [...(await this.#program(request.arch)), ...identityFiles(request)];
    const tar = tarPack();
    const zipped = createGzip({ level: 4 });
    // A failure reaches the reader as the stream's own error.
    pipeline(tar, zipped, () => {});
    void writeEntries(tar, entries).catch((error: Error) => zipped.destroy(error));
    return zipped;
  }

  async #program(arch: Arch): Promise<Entry[]> {
    const { agentDist, pluginsDir } = this.#sources;
    const entries = [
      await fileEntry('install.sh', join(agentDist, 'install.sh'), 0o755),
      await fileEntry('agent.mjs', join(agentDist, 'agent.mjs'), 0o755),
      await fileEntry(`${PRODUCT}.service`, join(agentDist, `${PRODUCT}.service`), 0o644),
      await fileEntry('version.json', join(agentDist, 'version.json'), 0o644),
    ];
    for (const plugin of await readdir(pluginsDir).catch(() => [])) {
      const dist = join(pluginsDir, plugin, 'dist');
      for (const file of await readdir(dist).catch(() => [])) {
        if (file.endsWith('.mjs')) entries.push(await fileEntry(`plugins/${file}`, join(dist, file), 0o755));
      }
    }
    // The runtime goes along where it is the right one for the machine; elsewhere install.sh asks for it.
    if (arch === ownArch() && process.platform === 'linux') {
      entries.push(await fileEntry('node', process.execPath, 0o755));
    }
    return entries;
  }
}

async function writeEntries(tar: Pack, entries: Entry[]): Promise<void> {
  for (const { name, content, mode } of entries) {
    const header = { name: `${PRODUCT}-agent/${name}`, mode, mtime: new Date() };
    if (typeof content === 'string') tar.entry(header, content);
    else {
      await new Promise<void>((resolve, reject) => {
        const entry = tar.entry({ ...header, size: content.size }, (error) =>
          error ? reject(error) : resolve(),
        );
        pipeline(createReadStream(content.path), entry, (error) => error && reject(error));
      });
    }
  }
  tar.finalize();
}

async function fileEntry(name: string, path: string, mode: number): Promise<Entry> {
  return { name, content: { path, size: (await stat(path)).size }, mode };
}

function ownArch(): Arch | null {
  const names: Partial<Record<string, Arch>> = { x64: 'amd64', arm64: 'arm64', arm: 'armhf' };
  return names[process.arch] ?? null;
}
