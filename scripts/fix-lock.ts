/**
 * Adds the platform packages that a registry without them made npm drop from package-lock.json.
 *
 * npm writes only those optional platform packages into the lock that it could look up when the lock was made;
 * `npm ci` on another machine then refuses the lock as incomplete. Run this after every `npm install`: each optional
 * dependency with an exact version that the lock names but does not hold gets an entry with its version, operating
 * system, processor and C library. It changes nothing on a second run.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface LockEntry {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

const SYSTEMS = [
  'android',
  'darwin',
  'win32',
  'freebsd',
  'netbsd',
  'openbsd',
  'sunos',
  'aix',
  'openharmony',
  'linux',
];
const PROCESSORS = [
  'arm64',
  'arm',
  'x64',
  'ia32',
  'ppc64',
  's390x',
  'riscv64',
  'loong64',
  'mips64el',
  'wasm32',
];

function platformOf(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> {
  const os = name.includes('-win-') ? 'win32' : SYSTEMS.find((system) => name.includes(system));
  const cpu = PROCESSORS.find((processor) => name.includes(processor));
  const libc =
    os !== 'linux' ? undefined : name.includes('musl') ? 'musl' : name.includes('gnu') ? 'glibc' : undefined;
  return { ...(cpu && { cpu: [cpu] }), ...(os && { os: [os] }), ...(libc && { libc: [libc] }) };
}

const file = 'package-lock.json';
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockEntry> };
const packages = lock.packages;

function findInstalled(from: string, name: string): string | undefined {
  for (let place = from; ; ) {
    const key = `${place ? `${place}/` : ''}node_modules/${name}`;
    if (packages[key]) return key;
    if (!place) return undefined;
    const cut = place.lastIndexOf('/node_modules/');
    place = cut >= 0 ? place.slice(0, cut) : '';
  }
}

let added = 0;
for (const [key, entry] of Object.entries({ ...packages })) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const platform = platformOf(name);
    if (!/^\d+\.\d+\.\d+/.test(range) || (!platform.os && !platform.cpu)) continue;
    const at = findInstalled(key, name);
    if (at && packages[at]?.version === range) continue;
    packages[`${at ? `${key}/` : ''}node_modules/${name}`] = {
      version: range,
      ...platform,
      ...(entry.dev && { dev: true }),
      optional: true,
    };
    added++;
  }
}

lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`fix-lock: ${added} entries added\n`);
