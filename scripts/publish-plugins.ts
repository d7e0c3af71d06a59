/**
 * Publishes the built plugins as signed packages: `node scripts/publish-plugins.ts`. The build does so where something
 * has changed.
 *
 *   --keys FOLDER   the publisher's keys (ALBEDO_PUBLISHER_KEYS, else .config/albedo/publisher of the home folder)
 *   --to FOLDER     the repository that clouds serve (plugins/dist/repository)
 *
 * Whoever has the keys decides what all devices of these clouds may run. No server needs them: keep the folder where a
 * server cannot read it, and publish from there.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type PluginSpec, pluginSpec } from '@albedo/contract/plugins/plugins.schema';
import { type ArchiveFile, packArchive } from '@albedo/pki/plugin-archive';
import { type Publication, publish } from '@albedo/pki/publisher';

const ROOT = join(import.meta.dirname, '..');
/** A publication is renewed once it has no more than this left, ms. */
const RENEW_MS = 180 * 86_400_000;

export const REPOSITORY = join(ROOT, 'plugins/dist/repository');
const keysFolder = () => process.env.ALBEDO_PUBLISHER_KEYS ?? join(homedir(), '.config/albedo/publisher');

interface Published {
  signed: { expires: string; targets: Record<string, { hashes: { sha256: string } }> };
}

/** Publishes what is not there yet, and answers its names. */
export async function publishPlugins(keys = keysFolder(), repository = REPOSITORY): Promise<string[]> {
  const all = await Promise.all(builtPlugins().map(publicationOf));
  const path = join(repository, 'metadata/targets.json');
  const known: Published | null = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
  const isKnown = ({ path: file, bytes }: Publication) =>
    known?.signed.targets[file]?.hashes.sha256 === createHash('sha256').update(bytes).digest('hex');
  const fresh = all.filter((one) => !isKnown(one));
  const isStale = known === null || Date.parse(known.signed.expires) < Date.now() + RENEW_MS;
  if (fresh.length > 0 || isStale) publish({ keys, repository, publications: fresh });
  return fresh.map(({ path: file }) => basename(file, '.tgz'));
}

/** Programs as `npm run build` leaves them; a folder that begins with an underscore is there to be copied. */
const builtPlugins = (): string[] =>
  globSync('plugins/*/dist/*_albedo.mjs', { cwd: ROOT })
    .filter((path) => !path.startsWith('plugins/_'))
    .toSorted()
    .map((path) => join(ROOT, path));

async function publicationOf(program: string): Promise<Publication> {
  const { version } = JSON.parse(readFileSync(join(program, '../../package.json'), 'utf8')) as PluginSpec;
  const said = execFileSync(process.execPath, [program, 'spec'], { encoding: 'utf8', timeout: 60_000 });
  const spec = pluginSpec.parse({ ...JSON.parse(said), version });
  const bytes = await packArchive([
    { name: 'plugin.json', bytes: Buffer.from(`${JSON.stringify(spec, null, 2)}\n`), isProgram: false },
    { name: basename(program), bytes: readFileSync(program), isProgram: true },
    ...serialParts(dirname(program)),
  ]);
  return { path: `${spec.name}/${spec.name}-${version}.tgz`, bytes, custom: { spec } };
}

/** What a plugin of serial lines brings for each processor. */
const serialParts = (folder: string): ArchiveFile[] =>
  globSync('serial/*/*.node', { cwd: folder })
    .toSorted()
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)), isProgram: false }));

if (import.meta.main) {
  const { values } = parseArgs({ options: { keys: { type: 'string' }, to: { type: 'string' } } });
  const names = await publishPlugins(values.keys, values.to);
  process.stdout.write(names.length > 0 ? `Published ${names.join(', ')}.\n` : 'Nothing new to publish.\n');
}
