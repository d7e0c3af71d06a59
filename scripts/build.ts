/**
 * Builds what is out of date: the web app, the agent and the plugins, side by side, the empty records that new
 * embedded ones are copied from, and fetches Node for devices with other processors. A target is out of date when the
 * content of its sources, or of those of the workspaces it depends on, is not what it was last built from.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { makePreparedRecords } from '@albedo/cloud/engines/prepared-records';
import { fetchRuntimes } from './agent-runtimes.ts';
import { areNoticesWritten, writeNotices } from './notices.ts';
import { publishPlugins } from './publish-plugins.ts';

interface Workspace {
  name: string;
  folder: string;
  script: string | null;
  dependencies: string[];
}

interface PackageFile {
  name: string;
  workspaces?: string[];
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
}

const ROOT = resolve(import.meta.dirname, '..');
const STAMPS = join(ROOT, 'node_modules/.cache/albedo-build');
const LEFT_OUT = new Set(['node_modules', 'dist', 'data', 'coverage', 'migrations']);

/** Builds everything stale and gives the names of what was built. Throws an error that holds a failed build's output. */
export async function buildStale(say: (text: string) => void): Promise<string[]> {
  const all = readWorkspaces();
  const stale = all
    // A folder that begins with an underscore is there to be copied and becomes part of nothing.
    .filter((one) => one.script !== null && !one.folder.includes('/_'))
    .map((workspace) => ({ workspace, stamp: stampOf(workspace, all) }))
    .filter(({ workspace, stamp }) => !isFresh(workspace, stamp));
  const records = makePreparedRecords();
  const runtimes = fetchRuntimes(say);
  if (stale.length === 0) {
    if (!areNoticesWritten()) await writeNotices();
    await publishPlugins();
    await runtimes;
    return (await records).isNew ? ['the records that new ones are copied from'] : [];
  }
  const names = stale.map(({ workspace }) => workspace.folder);
  say(`Building ${names.join(', ')}…`);
  await Promise.all([
    records,
    runtimes,
    ...stale.map(async ({ workspace, stamp }) => {
      await build(workspace);
      mkdirSync(STAMPS, { recursive: true });
      writeFileSync(stampFile(workspace), stamp);
    }),
  ]);
  // A build begins with an empty folder.
  await writeNotices();
  await publishPlugins();
  return names;
}

function readWorkspaces(): Workspace[] {
  const root = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as PackageFile;
  return globSync(
    (root.workspaces ?? []).map((pattern) => `${pattern}/package.json`),
    { cwd: ROOT },
  )
    .sort()
    .map((file) => {
      const {
        name,
        scripts,
        dependencies = {},
      } = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as PackageFile;
      return {
        name,
        folder: dirname(file),
        script: scripts?.build ?? null,
        dependencies: Object.keys(dependencies),
      };
    });
}

/** A hash of every source file the target is made from, and of the exact versions of its libraries. */
function stampOf(workspace: Workspace, all: Workspace[]): string {
  const hash = createHash('sha256').update(process.versions.node);
  hash.update(readFileSync(join(ROOT, 'package-lock.json')));
  for (const { folder } of withDependencies(workspace, all)) {
    for (const file of sourcesOf(join(ROOT, folder))) hash.update(file).update(readFileSync(file));
  }
  // The web app shows these pages, wherever else they may be read.
  for (const file of sourcesOf(join(ROOT, 'docs/help'))) hash.update(file).update(readFileSync(file));
  return hash.digest('hex');
}

function withDependencies(workspace: Workspace, all: Workspace[]): Workspace[] {
  const found = new Set([workspace]);
  for (const one of found) {
    for (const name of one.dependencies) {
      const next = all.find((other) => other.name === name);
      if (next) found.add(next);
    }
  }
  return [...found];
}

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : sourcesOf(path);
      return entry.isFile() && !/\.test\.tsx?$/.test(entry.name) ? [path] : [];
    });
}

const stampFile = ({ folder }: Workspace) => join(STAMPS, folder.replaceAll(/[\\/]/g, '-'));

function isFresh(workspace: Workspace, stamp: string): boolean {
  const dist = join(ROOT, workspace.folder, 'dist');
  if (!existsSync(dist) || readdirSync(dist).length === 0 || !existsSync(stampFile(workspace))) return false;
  return readFileSync(stampFile(workspace), 'utf8') === stamp;
}

function build({ folder, script }: Workspace): Promise<void> {
  const path = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`;
  const child = spawn(script ?? '', {
    shell: true,
    cwd: join(ROOT, folder),
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => {
      if (code === 0) done();
      else fail(new Error(`the build of ${folder} failed:\n${Buffer.concat(output).toString()}`));
    });
  });
}

if (import.meta.main) {
  try {
    const built = await buildStale((text) => process.stdout.write(`${text}\n`));
    if (built.length === 0) process.stdout.write('Everything is up to date.\n');
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
