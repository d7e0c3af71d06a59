import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { READERS } from '@albedo/contract/commissioning/machines.schema';
import { PRODUCT } from '@albedo/contract/product';
import type { AgentBuild } from '@albedo/contract/upgrades/upgrades.schema';
import type { Arch } from '@albedo/contract/workgroups/archs';
import { AppError } from '../errors/app-error.ts';
import { type IdentityRequest, identityFiles } from './identity.ts';
import { gzipMember, type TarFile } from './members.ts';
import { agentBuildOf, TOOLS, type UpgradeFile, upgradeFiles } from './upgrade-files.ts';

export { type IdentityRequest, identityFiles } from './identity.ts';
export type { UpgradeFile } from './upgrade-files.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Licences of the libraries in the agent and its plugins, as `npm run build` writes them. */
const NOTICES = 'open-source-licences.txt';

/** Checksums of the program; install.sh takes no file that is not in it. */
export const SUMS = 'SHA256SUMS';

/** Where the built agent and the built plugins lie. */
export interface PackSources {
  agentDist: string;
  pluginsDir: string;
  /** Node for other processors, each in a folder `<version>-<processor>`; what is not there is left out of packs. */
  runtimesDir?: string;
}

export const PACK_SOURCES: PackSources = {
  agentDist: join(ROOT, 'apps/agent/dist'),
  pluginsDir: join(ROOT, 'plugins'),
  runtimesDir: join(ROOT, 'node_modules/.cache/albedo-runtimes'),
};

/** Where the publisher's packages lie. */
export const repositoryOf = ({ pluginsDir }: PackSources): string => join(pluginsDir, 'dist/repository');

/** Whose plugins devices run, as text; null where nothing was published. */
export function pluginsRootOf(sources: PackSources): string | null {
  const path = join(repositoryOf(sources), 'metadata/root.json');
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

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
  readonly #sums = new Map<Arch, { stamp: string; text: Promise<string> }>();

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

  /** The program that new packs hold. Throws `pack.not_built`. */
  async build(): Promise<AgentBuild> {
    await this.requireBuilt();
    return agentBuildOf(this.#sources.agentDist, await this.version());
  }

  /** What a device of this kind is sent when it is upgraded. Throws `pack.not_built`. */
  async upgradeFiles(arch: Arch): Promise<UpgradeFile[]> {
    await this.requireBuilt();
    return upgradeFiles(this.#sources.agentDist, PROCESSORS[arch], pluginsRootOf(this.#sources));
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
    const pluginsRoot = pluginsRootOf(this.#sources);
    const identity = identityFiles({ pluginsRoot, ...request }).map((file) => ({
      ...file,
      mtime: new Date(),
    }));
    const members = [
      await this.#program(request.arch),
      await gzipMember(identity.map(inPack), { isLast: true }),
    ];
    return Readable.from(members, { objectMode: false });
  }

  /** The keys of a device alone, by path below the root of its machine. */
  async keys(request: IdentityRequest): Promise<Readable> {
    const keys = identityFiles({ ...request, pluginsRoot: null }).filter(({ name }) =>
      name.includes('/keys/'),
    );
    const files = keys.map((file) => ({ ...file, mtime: new Date() }));
    return Readable.from([await gzipMember(files, { isLast: true })], { objectMode: false });
  }

  /** SHA-256 of the list of checksums in packs of this kind, which names every file of the program. Throws `pack.not_built`. */
  async fingerprint(arch: Arch): Promise<string> {
    await this.requireBuilt();
    const sums = await this.#sumsOf(arch, await this.#programFiles(arch));
    return createHash('sha256').update(sums).digest('hex');
  }

  /** Lines as `sha256sum` writes and reads them. */
  #sumsOf(arch: Arch, files: readonly TarFile[]): Promise<string> {
    const stamp = stampOf(files);
    const kept = this.#sums.get(arch);
    if (kept?.stamp === stamp) return kept.text;
    const text = sumsOf(files);
    this.#sums.set(arch, { stamp, text });
    text.catch(() => this.#sums.delete(arch));
    return text;
  }

  /** The compressed program; made again when one of its files has changed. */
  async #program(arch: Arch): Promise<Buffer> {
    const files = await this.#programFiles(arch);
    const stamp = stampOf(files);
    const kept = this.#programs.get(arch);
    if (kept?.stamp === stamp) return kept.member;
    // Kept before it is made: a fleet that asks at once waits for one compression of a whole runtime, not for one each.
    const member = this.#compressed(arch, files);
    this.#programs.set(arch, { stamp, member });
    member.catch(() => this.#programs.delete(arch));
    return member;
  }

  async #compressed(arch: Arch, files: readonly TarFile[]): Promise<Buffer> {
    const sums = { name: SUMS, content: await this.#sumsOf(arch, files), mode: 0o644, mtime: new Date() };
    return gzipMember([...files, sums].map(inPack), { isLast: false });
  }

  async #programFiles(arch: Arch): Promise<TarFile[]> {
    const { agentDist, pluginsDir } = this.#sources;
    const files = [
      await fileOf('install.sh', join(agentDist, 'install.sh'), 0o755),
      await fileOf('agent.mjs', join(agentDist, 'agent.mjs'), 0o755),
      await fileOf(`${PRODUCT}.service`, join(agentDist, `${PRODUCT}.service`), 0o644),
      await fileOf('version.json', join(agentDist, 'version.json'), 0o644),
    ];
    for (const tool of TOOLS) {
      if (existsSync(join(agentDist, tool))) files.push(await fileOf(tool, join(agentDist, tool), 0o755));
    }
    const notices = join(agentDist, NOTICES);
    if (existsSync(notices)) files.push(await fileOf(NOTICES, notices, 0o644));
    const processor = PROCESSORS[arch];
    for (const file of await readdir(join(agentDist, 'pty', processor)).catch(() => [])) {
      const name = `pty/${processor}/${file}`;
      files.push(await fileOf(name, join(agentDist, name), 0o644));
    }
    // Others are installed from the repository by those who want them.
    for (const plugin of READERS) {
      const dist = join(pluginsDir, plugin, 'dist');
      for (const file of await readdir(dist).catch(() => [])) {
        if (file.endsWith('.mjs')) files.push(await fileOf(`plugins/${file}`, join(dist, file), 0o755));
      }
      // The compiled part for serial lines is the same for all of them.
      for (const file of await readdir(join(dist, 'serial', processor)).catch(() => [])) {
        const name = `plugins/serial/${processor}/${file}`;
        if (files.some((one) => one.name === name)) continue;
        files.push(await fileOf(name, join(dist, 'serial', processor, file), 0o644));
      }
    }
    // Where there is none for the machine, install.sh asks for an installed one.
    const node = this.#runtimeOf(arch);
    if (existsSync(node)) files.push(await fileOf('node', node, 0o755));
    return files;
  }

  /** Where the Node that devices of the kind run lies, if it is there: the same release as that of this server. */
  #runtimeOf(arch: Arch): string {
    const processor = PROCESSORS[arch];
    if (processor === process.arch && process.platform === 'linux') return process.execPath;
    return join(this.#sources.runtimesDir ?? '', `${process.versions.node}-${processor}`, 'node');
  }
}

const stampOf = (files: readonly TarFile[]): string =>
  files.map(({ name, mtime }) => `${name} ${mtime.getTime()}`).join('\n');

async function sumsOf(files: readonly TarFile[]): Promise<string> {
  let lines = '';
  for (const { name, content } of files) {
    const sum = createHash('sha256');
    if (typeof content === 'string') sum.update(content);
    else for await (const chunk of content()) sum.update(chunk as Buffer);
    lines += `${sum.digest('hex')}  ${name}\n`;
  }
  return lines;
}

const inPack = (file: TarFile): TarFile => ({ ...file, name: `${PRODUCT}-agent/${file.name}` });

async function fileOf(name: string, path: string, mode: number): Promise<TarFile> {
  const { size, mtime } = await stat(path);
  return { name, content: () => createReadStream(path), size, mode, mtime };
}

/** What Node calls the processors. */
const PROCESSORS = { amd64: 'x64', arm64: 'arm64', armhf: 'arm' } as const satisfies Record<Arch, string>;
