import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  compareVersions,
  type PluginListing,
  type PluginSpec,
  pluginSpec,
} from '@albedo/contract/plugins/plugins.schema';
import { z } from 'zod';
import { AppError } from '../errors/app-error.ts';

/** What this server reads of the publisher's list. */
const listed = z.object({
  signed: z.object({
    targets: z.record(
      z.string(),
      z.object({ length: z.number().int(), custom: z.object({ spec: pluginSpec }) }),
    ),
  }),
});

interface Version {
  path: string;
  sizeBytes: number;
  spec: PluginSpec;
}
type Catalog = ReadonlyMap<string, readonly Version[]>;

/** A file that devices are sent. */
export interface PublicationFile {
  path: string;
  bytes: Buffer;
}

/** The publisher's packages as they lie on this server, which has none of the keys. */
export class PluginsCatalog {
  readonly #repository: string;
  #kept: { stamp: string; catalog: Promise<Catalog> } | null = null;

  constructor(repository: string) {
    this.#repository = repository;
  }

  /** By name; empty where nothing was published. */
  async list(): Promise<PluginListing[]> {
    return [...(await this.#catalog()).values()]
      .map((versions) => listingOf(versions))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The newest version by default. Throws `plugin.not_found`. */
  async get(name: string, version?: string): Promise<PluginListing & { spec: PluginSpec }> {
    const versions = (await this.#catalog()).get(name) ?? [];
    const found = version === undefined ? versions[0] : versions.find(({ spec }) => spec.version === version);
    if (!found) throw new AppError('plugin.not_found', { name, version: version ?? null });
    return { ...listingOf(versions), spec: found.spec };
  }

  /** Everything by which a device checks this version, and the package. Throws `plugin.not_found`. */
  async publication(name: string, version: string): Promise<PublicationFile[]> {
    const found = (await this.#catalog()).get(name)?.find(({ spec }) => spec.version === version);
    if (!found) throw new AppError('plugin.not_found', { name, version });
    const { METADATA } = await pkiRepository();
    const files = [
      ...rootsIn(this.#repository),
      ...METADATA.map((file) => `metadata/${file}`),
      `targets/${found.path}`,
    ];
    return files.map((path) => ({ path, bytes: readFileSync(join(this.#repository, path)) }));
  }

  /** Read again when something was published meanwhile. */
  async #catalog(): Promise<Catalog> {
    const facts = statSync(join(this.#repository, 'metadata/timestamp.json'), { throwIfNoEntry: false });
    if (!facts) return new Map();
    const stamp = `${facts.ino} ${facts.mtimeMs}`;
    if (this.#kept?.stamp !== stamp) {
      const catalog = readCatalog(this.#repository);
      this.#kept = { stamp, catalog };
      catalog.catch(() => {
        this.#kept = null;
      });
    }
    return this.#kept.catalog;
  }
}

/** Names of the roots since the first one, which devices follow from the one that they know. */
const rootsIn = (repository: string): string[] => {
  const roots: string[] = [];
  for (let number = 1; ; number++) {
    const path = `metadata/${number}.root.json`;
    if (!existsSync(join(repository, path))) return roots;
    roots.push(path);
  }
};

/** With the first look at the plugins: what checks signatures is several dozen files. */
const pkiRepository = () => import('@albedo/pki/repository');

/** A repository that contradicts itself offers nothing: devices would refuse it. */
async function readCatalog(repository: string): Promise<Catalog> {
  const seed = readFileSync(join(repository, 'metadata/root.json'), 'utf8');
  const scratch = mkdtempSync(join(tmpdir(), 'albedo-plugins-'));
  const { openRepository } = await pkiRepository();
  try {
    await openRepository({ trust: join(scratch, 'trust'), seed, from: repository });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  const { signed } = listed.parse(
    JSON.parse(readFileSync(join(repository, 'metadata/targets.json'), 'utf8')),
  );
  const catalog = new Map<string, Version[]>();
  for (const [path, { length, custom }] of Object.entries(signed.targets)) {
    const versions = catalog.get(custom.spec.name) ?? [];
    versions.push({ path, sizeBytes: length, spec: custom.spec });
    catalog.set(custom.spec.name, versions);
  }
  for (const versions of catalog.values()) {
    versions.sort((a, b) => compareVersions(b.spec.version, a.spec.version));
  }
  return catalog;
}

function listingOf(versions: readonly Version[]): PluginListing {
  const [newest] = versions;
  if (!newest) throw new AppError('plugin.not_found');
  const { name, title, summary, labels, version } = newest.spec;
  return {
    name,
    title,
    summary,
    labels,
    version,
    versions: versions.map(({ spec }) => spec.version),
    sizeBytes: newest.sizeBytes,
  };
}
