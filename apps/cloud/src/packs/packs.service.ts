import { createReadStream, existsSync } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Arch } from '@albedo/contract/devices/devices.schema';
import { PRODUCT } from '@albedo/contract/product';
import { AppError } from '../errors/app-error.ts';
import { type IdentityRequest, identityFiles } from './identity.ts';
import { gzipMember, type TarFile } from './members.ts';

export { type IdentityRequest, identityFiles } from './identity.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Licences of the libraries in the agent and its plugins, as `npm run build` writes them. */
const NOTICES = 'open-source-licences.txt';

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

/**
 * Makes agent packs: gzip tars with the agent, its plugins, and the identity of one device.
 *
 * A pack is two gzip members in a row. The first holds the program and is the same for every device of a kind: it is
 * compressed once and kept; the second holds the identity.
 */
export class Packs {
  readonly #sources: PackSources;
  readonly #programs = new Map<Arch, { stamp: string; member: Promise<Buffer> }>();

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
    for (const file of ['agent.mjs', 'install.sh', `${PRODUCT}.service`, 'version.json']) {
      const path = join(this.#sources.agentDist, file);
      await access(path).catch(() => {
        throw new AppError('pack.not_built', { missing: path });
      });
    }
  }

  /** The pack as a stream. Throws `pack.not_built`. */
  async make(request: PackRequest): Promise<Readable> {
    await this.requireBuilt();
    const identity = identityFiles(request).map((file) => ({ ...file, mtime: new Date() }));
    const members = [
      await this.#program(request.arch),
      await gzipMember(identity.map(inPack), { isLast: true }),
    ];
    return Readable.from(members, { objectMode: false });
  }

  /** The compressed program; made again when one of its files has changed. */
  async #program(arch: Arch): Promise<Buffer> {
    const files = await this.#programFiles(arch);
    const stamp = files.map(({ name, mtime }) => `${name} ${mtime.getTime()}`).join('\n');
    const kept = this.#programs.get(arch);
    if (kept?.stamp === stamp) return kept.member;
    const member = gzipMember(files.map(inPack), { isLast: false });
    this.#programs.set(arch, { stamp, member });
    member.catch(() => this.#programs.delete(arch));
    return member;
  }

  async #programFiles(arch: Arch): Promise<TarFile[]> {
    const { agentDist, pluginsDir } = this.#sources;
    const files = [
      await fileOf('install.sh', join(agentDist, 'install.sh'), 0o755),
      await fileOf('agent.mjs', join(agentDist, 'agent.mjs'), 0o755),
      await fileOf(`${PRODUCT}.service`, join(agentDist, `${PRODUCT}.service`), 0o644),
      await fileOf('version.json', join(agentDist, 'version.json'), 0o644),
    ];
    const notices = join(agentDist, NOTICES);
    if (existsSync(notices)) files.push(await fileOf(NOTICES, notices, 0o644));
    for (const plugin of await readdir(pluginsDir).catch(() => [])) {
      const dist = join(pluginsDir, plugin, 'dist');
      for (const file of await readdir(dist).catch(() => [])) {
        if (file.endsWith('.mjs')) files.push(await fileOf(`plugins/${file}`, join(dist, file), 0o755));
      }
    }
    // The runtime goes along where it is the right one for the machine; elsewhere install.sh asks for it.
    if (arch === ownArch() && process.platform === 'linux') {
      files.push(await fileOf('node', process.execPath, 0o755));
    }
    return files;
  }
}

const inPack = (file: TarFile): TarFile => ({ ...file, name: `${PRODUCT}-agent/${file.name}` });

async function fileOf(name: string, path: string, mode: number): Promise<TarFile> {
  const { size, mtime } = await stat(path);
  return { name, content: () => createReadStream(path), size, mode, mtime };
}

function ownArch(): Arch | null {
  const names: Partial<Record<string, Arch>> = { x64: 'amd64', arm64: 'arm64', arm: 'armhf' };
  return names[process.arch] ?? null;
}
