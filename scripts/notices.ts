/**
 * What Albedo ships of others: the licence texts of every library, and the list of them in CycloneDX, which npm makes of
 * the lock. Both are the same for the same lock.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run } from './testing/run.ts';

const ROOT = resolve(import.meta.dirname, '..');
const CACHE = join(ROOT, 'node_modules/.cache/albedo-build');
/** Lie beside what is built. */
const NOTICES_FILE = 'open-source-licences.txt';
const SBOM_FILE = 'sbom.cdx.json';

const [WEB, AGENT] = ['apps/web/dist', 'apps/agent/dist'];
const EDGE = ['apps/agent', 'plugins/modbus', 'plugins/sunspec'];
const TEXT_FILE = /^(licen[cs]e|notice|copying)([.-].*)?$/i;
/** Workspaces of this repository. */
const OWN = 'pkg:npm/%40albedo/';
const LINE = '-'.repeat(80);

interface Notices {
  /** Names, versions and licence texts, for people. */
  text: string;
  /** CycloneDX 1.5. */
  sbom: string;
}

interface Component {
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
}

interface Sbom {
  serialNumber?: string;
  metadata: { timestamp?: string; component: { name: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

interface LockEntry {
  name?: string;
  version?: string;
  /** Of a link: the folder of a workspace. */
  resolved?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

type Lock = Record<string, LockEntry>;

/** Writes the notices beside the built web app (with those of the server) and the built agent. */
export async function writeNotices(): Promise<void> {
  const [all, edge] = await Promise.all([
    keptNotices('product', ['apps/cloud', 'apps/web', ...EDGE]),
    keptNotices('agent', EDGE),
  ]);
  for (const [folder, { text, sbom }] of [
    [WEB, all],
    [AGENT, edge],
  ] as const) {
    writeFileSync(join(ROOT, folder, NOTICES_FILE), text);
    writeFileSync(join(ROOT, folder, SBOM_FILE), sbom);
  }
}

export const areNoticesWritten = (): boolean =>
  [WEB, AGENT].every((folder) => existsSync(join(ROOT, folder, NOTICES_FILE)));

/** Made once for each lock. */
async function keptNotices(name: string, workspaces: string[]): Promise<Notices> {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  const stamp = hash.update(readFileSync(import.meta.filename)).digest('hex');
  const file = join(CACHE, `notices-${name}.json`);
  if (existsSync(file)) {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Notices & { stamp: string };
    if (kept.stamp === stamp) return kept;
  }
  const notices = await makeNotices(workspaces);
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(file, JSON.stringify({ stamp, ...notices }));
  return notices;
}

/** Throws with what npm says when it cannot read the lock. */
export async function makeNotices(workspaces: string[]): Promise<Notices> {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const { code, output } = await run('npm', [...args, ...workspaces.flatMap((one) => ['-w', one])], {
    quiet: true,
    cwd: ROOT,
    env: { npm_config_loglevel: 'error', npm_config_update_notifier: 'false' },
  });
  if (code !== 0) throw new Error(`npm cannot list the libraries:\n${output}`);
  const sbom = JSON.parse(output.slice(output.indexOf('{'))) as Sbom;
  // npm's own `--omit dev` leaves out what some workspace needs for its tests too.
  const lock = readLock();
  const shipped = shippedWith(workspaces, lock);
  sbom.components = sbom.components.filter(({ purl, name, version }) =>
    purl.startsWith(OWN)
      ? workspaces.some((one) => one.endsWith(`/${name}`))
      : shipped.has(`${name}@${version}`),
  );
  const refs = new Set(sbom.components.map((component) => component['bom-ref']));
  sbom.dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  // Both would be others at every build of the same thing.
  delete sbom.serialNumber;
  delete sbom.metadata.timestamp;
  // npm takes the name of the folder.
  sbom.metadata.component.name = 'albedo';
  return { text: noticesOf(sbom.components, lock), sbom: `${JSON.stringify(sbom, null, 1)}\n` };
}

const readLock = (): Lock =>
  (JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Lock }).packages;

/** `name@version` of all that the workspaces need when they run. */
function shippedWith(workspaces: string[], lock: Lock): Set<string> {
  const places = new Set(workspaces);
  for (const place of places) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = lock[place] ?? {};
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => !peerDependenciesMeta?.[name]?.optional,
    );
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const found = placeOf(name, place, lock);
      if (found) places.add(lock[found]?.link ? (lock[found]?.resolved ?? found) : found);
    }
  }
  return new Set([...places].map((place) => keyOf(place, lock)));
}

/** Where Node finds a library that is asked for at that place; null for one that is not installed. */
function placeOf(name: string, from: string, lock: Lock): string | null {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('/')))) {
    const path = `${place ? `${place}/` : ''}node_modules/${name}`;
    if (lock[path]) return path;
    if (!place) return null;
  }
}

const keyOf = (place: string, lock: Lock): string =>
  `${lock[place]?.name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${lock[place]?.version}`;

function noticesOf(components: Component[], lock: Lock): string {
  const folders = foldersByVersion(lock);
  const byText = new Map<string, string[]>();
  for (const component of components.filter(({ purl }) => !purl.startsWith(OWN))) {
    const text = textIn(folders.get(`${component.name}@${component.version}`) ?? []);
    const line = `${component.name} ${component.version} (${licenceOf(component)})`;
    byText.set(text, [...(byText.get(text) ?? []), line]);
  }
  const parts = [...byText]
    .map(([text, lines]) => ({ text, lines: lines.toSorted() }))
    .toSorted((a, b) => ((a.lines[0] ?? '') < (b.lines[0] ?? '') ? -1 : 1))
    .map(({ text, lines }) => `${LINE}\n${lines.join('\n')}\n${text ? `\n${text}\n` : ''}`);
  return `Albedo contains the following open-source software.\n\n${parts.join('\n')}`;
}

const licenceOf = ({ licenses = [] }: Component): string =>
  licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name).join(', ') ||
  'see its package';

/** Where each version of a package lies, below the root. */
function foldersByVersion(lock: Lock): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const path of Object.keys(lock)) {
    const key = keyOf(path, lock);
    folders.set(key, [...(folders.get(key) ?? []), path]);
  }
  return folders;
}

/** The texts in the first of the folders that is there; parts for other machines are not. */
function textIn(folders: string[]): string {
  const folder = folders.map((one) => join(ROOT, one)).find((one) => existsSync(one));
  if (!folder) return '';
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXT_FILE.test(entry.name))
    .map(({ name }) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
    .toSorted()
    .join('\n\n');
}
