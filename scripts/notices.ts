/**
 * What Albedo ships of others: the licence texts of every library, and the list of them in CycloneDX, which npm makes of
 * the lock. Both are the same for the same lock.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import spdx from 'spdx-license-list/full.js';
import { run } from './testing/run.ts';

const ROOT = resolve(import.meta.dirname, '..');
const CACHE = join(ROOT, 'node_modules/.cache/albedo-build');
/** Lie beside what is built. */
const NOTICES_FILE = 'open-source-licences.txt';
const SBOM_FILE = 'sbom.cdx.json';

const [WEB, AGENT] = ['apps/web/dist', 'apps/agent/dist'];
const EDGE = ['apps/agent', 'plugins/modbus', 'plugins/sunspec'];
/** Those that devices get from the repository; a folder that begins with an underscore is there to be copied. */
const PLUGINS = globSync('plugins/[!_]*/package.json', { cwd: ROOT }).map(dirname).toSorted();
/** The repository itself; it brings the Node that runs the server. */
const TOP = '';
/** What `npm start` runs. */
export const PRODUCT = [...new Set([TOP, 'apps/cloud', 'apps/web', ...EDGE, ...PLUGINS, 'demo'])];
const TEXT_FILE = /^(licen[cs]e|notice|copying)([.-].*)?$/i;
/** Workspaces of this repository. */
const OWN = 'pkg:npm/%40albedo/';
const LINE = '-'.repeat(80);

/** Libraries that name their licence in their README alone. */
const SAID_IN_README = new Map([['precond@0.2.3', 'MIT']]);

interface Notices {
  /** Names, versions and licence texts, for people. */
  text: string;
  /** CycloneDX 1.5. */
  sbom: string;
}

interface Component {
  'bom-ref': string;
  type: string;
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
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

type Lock = Record<string, LockEntry>;

/** Writes the notices beside the built web app (with those of the server) and the built agent. */
export async function writeNotices(): Promise<void> {
  const [all, edge] = await Promise.all([keptNotices('product', PRODUCT), keptNotices('agent', EDGE)]);
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

/** Of workspaces (folders; '' is the repository itself). Throws with what npm says when it cannot read the lock. */
export async function makeNotices(workspaces: string[]): Promise<Notices> {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const { code, output } = await run(
    'npm',
    [...args, ...workspaces.filter((one) => one !== TOP).flatMap((one) => ['-w', one])],
    {
      quiet: true,
      cwd: ROOT,
      env: { npm_config_loglevel: 'error', npm_config_update_notifier: 'false' },
    },
  );
  if (code !== 0) throw new Error(`npm cannot list the libraries:\n${output}`);
  const sbom = JSON.parse(output.slice(output.indexOf('{'))) as Sbom;
  // npm's own `--omit dev` leaves out what some workspace needs for its tests too.
  const lock = readLock();
  const shipped = shippedWith(workspaces, lock);
  // npm calls a workspace by its folder.
  for (const one of sbom.components.filter(isOurs)) one.name = one['bom-ref'].replace(/@[^@]*$/, '');
  sbom.components = sbom.components.filter(({ name, version }) => shipped.has(`${name}@${version}`));
  if (workspaces.includes(TOP)) addBrought(sbom, lock);
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

const isOurs = ({ purl }: Component): boolean => purl.startsWith(OWN);

/** Adds what the repository itself depends on: the builds of Node, which npm lists for no workspace. */
function addBrought(sbom: Sbom, lock: Lock): void {
  for (const name of Object.keys(lock[TOP]?.optionalDependencies ?? {})) {
    const { version = '', license = 'MIT' } = lock[`node_modules/${name}`] ?? {};
    sbom.components.push({
      'bom-ref': `${name}@${version}`,
      type: 'application',
      name,
      version,
      purl: `pkg:npm/${name}@${version}`,
      licenses: [{ license: { id: license } }],
    });
    sbom.dependencies.push({ ref: `${name}@${version}`, dependsOn: [] });
  }
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
  const texts = new Texts(lock);
  const byText = new Map<string, string[]>();
  for (const component of components.filter((one) => !isOurs(one))) {
    const { licence, text } = texts.of(component);
    const line = `${component.name} ${component.version} (${licence})`;
    byText.set(text, [...(byText.get(text) ?? []), line]);
  }
  const parts = [...byText]
    .map(([text, lines]) => ({ text, lines: lines.toSorted() }))
    .toSorted((a, b) => ((a.lines[0] ?? '') < (b.lines[0] ?? '') ? -1 : 1))
    .map(({ text, lines }) => `${LINE}\n${lines.join('\n')}\n\n${text}\n`);
  return `Albedo contains the following open-source software.\n\n${parts.join('\n')}`;
}

/** Finds licences and their texts. */
class Texts {
  readonly #lock: Lock;
  /** Where each `name@version` lies, below the root. */
  readonly #places = new Map<string, string[]>();
  /** Of each library's name: where the first one lies that brings it as its part for one platform. */
  readonly #wholes = new Map<string, string>();

  constructor(lock: Lock) {
    this.#lock = lock;
    for (const [place, entry] of Object.entries(lock)) {
      const key = keyOf(place, lock);
      this.#places.set(key, [...(this.#places.get(key) ?? []), place]);
      for (const name of Object.keys(entry.optionalDependencies ?? {})) {
        if (!this.#wholes.has(name)) this.#wholes.set(name, place);
      }
    }
  }

  /**
   * A library's own text. A part for one platform has that of the library it belongs to, or of the part for this
   * platform; what else comes without a text has the usual wording of its licence. Throws for a library that has neither
   * a text nor the name of a licence, not even in its program.
   */
  of({ name, version, licenses = [] }: Component): { licence: string; text: string } {
    const places = this.#places.get(`${name}@${version}`) ?? [];
    const whole = this.#wholes.get(name);
    const others = Object.keys(this.#lock[whole ?? '']?.optionalDependencies ?? {});
    const kin = whole === undefined ? [] : [whole, ...others.map((other) => `node_modules/${other}`)];
    const text = [...places, ...kin].map(textIn).find((one) => one !== '');
    const licence =
      licenses.map((one) => one.expression ?? one.license?.id ?? one.license?.name).join(', ') ||
      (whole && this.#lock[whole]?.license) ||
      SAID_IN_README.get(`${name}@${version}`);
    if (licence) return { licence, text: text ?? usualText(licence, places) };
    const said = text === undefined ? saidIn(places) : null;
    if (said) return { licence: said, text: usualText(said, places) };
    if (text === undefined) throw new Error(`${name} ${version} comes without a licence: may we ship it?`);
    return { licence: 'as follows', text };
  }
}

/** What the first lines of a library's program name as its licence, for one that says so there alone; null for none. */
function saidIn(places: string[]): string | null {
  for (const place of places) {
    const file = join(ROOT, place, 'index.js');
    const head = place !== TOP && existsSync(file) ? readFileSync(file, 'utf8').slice(0, 500) : '';
    const [, name] = /Licensed under the (MIT|ISC) license/i.exec(head) ?? [];
    if (name) return name.toUpperCase();
  }
  return null;
}

/** The licence texts in the folder of a library; empty for one that is not installed, as parts for other platforms. */
function textIn(place: string): string {
  const folder = join(ROOT, place);
  if (place === TOP || !existsSync(folder)) return '';
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXT_FILE.test(entry.name))
    .map(({ name }) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
    .toSorted()
    .join('\n\n');
}

/** Standard wording of a licence, with the library's author in place of the wording's. */
function usualText(licence: string, places: string[]): string {
  const { licenseText } = spdx[licence] ?? {};
  if (licenseText === undefined)
    throw new Error(`${places[0]} has no licence text, and nobody knows that of ${licence}.`);
  const wording = licenseText.replace(/^Copyright \(c\).*\n+/gm, '').trim();
  const file = places.map((place) => join(ROOT, place, 'package.json')).find((one) => existsSync(one));
  const { author } = file
    ? (JSON.parse(readFileSync(file, 'utf8')) as { author?: string | { name: string } })
    : {};
  return author
    ? `Copyright (c) ${typeof author === 'string' ? author : author.name}\n\n${wording}`
    : wording;
}
