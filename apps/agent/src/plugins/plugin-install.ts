import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type PluginSpec, pluginSpec } from '@albedo/contract/plugins/plugins.schema';
import { unpackArchive } from '@albedo/pki/plugin-archive';
import { openRepository, UntrustedError } from '@albedo/pki/repository';
import type { Root } from '../root.ts';
import { installedPlugins, packageOf, placesOf, taskFilesOf } from './plugin-place.ts';

const run = promisify(execFile);
/** How long a new program may take to say what it is, ms. */
const TRY_MS = 30_000;

/** Steps that are told while a package is installed; cut off after any of them, the old one runs or the new one. */
export const PACKAGE_STEPS = ['checked', 'unpacked', 'tried', 'placed', 'switched', 'swept'] as const;
export type PackageStep = (typeof PACKAGE_STEPS)[number];

export interface PackageOrder {
  root: Root;
  name: string;
  version: string;
  /** Folder with a publication: `metadata/` and `targets/`. */
  from: string;
  /** The publisher's root that this device was given. */
  seed: string;
  onStep?: (step: PackageStep) => void;
}

/** Where a package lies in the repository. */
export const packagePath = (name: string, version: string): string => `${name}/${name}-${version}.tgz`;

/**
 * Installs a package that the publisher has signed. Nothing that runs is touched until one rename switches the command
 * from the version before to this one. Throws `UntrustedError`, and what the disk says.
 */
export async function installPackage({
  root,
  name,
  version,
  from,
  seed,
  onStep = () => {},
}: PackageOrder): Promise<PluginSpec> {
  const { packages, commands, trust } = placesOf(root);
  await mkdir(dirname(trust), { recursive: true, mode: 0o700 });
  const trusted = await openRepository({ trust, seed, from });
  const archive = await trusted.checked(packagePath(name, version));
  trusted.remember();
  onStep('checked');

  const home = join(packages, name);
  const hash = createHash('sha256').update(archive).digest('hex').slice(0, 8);
  const folder = join(home, `${version}-${hash}`);
  const fresh = join(home, `.new-${version}-${hash}`);
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true, mode: 0o755 });
  try {
    await unpackArchive(archive, fresh);
    const spec = await specIn(fresh, name, version);
    onStep('unpacked');
    const program = join(fresh, `${spec.binary}.mjs`);
    await run(process.execPath, [program, 'spec'], { timeout: TRY_MS }).catch((error: Error) => {
      throw new Error(`the program does not run on this machine: ${error.message.slice(0, 300)}`);
    });
    const start = `#!/bin/sh\nexec "${process.execPath}" "${join(folder, `${spec.binary}.mjs`)}" "$@"\n`;
    writeFileSync(join(fresh, 'run'), start, { mode: 0o755 });
    onStep('tried');
    // The same package again: what lies there is as good, unless somebody has changed it.
    const isRunning = packageOf(join(commands, spec.binary))?.folder === folder;
    if (!isRunning) {
      await rm(folder, { recursive: true, force: true });
      await rename(fresh, folder);
      await syncFolder(home);
    }
    onStep('placed');
    await mkdir(commands, { recursive: true });
    const link = join(commands, `.${spec.binary}.new`);
    await rm(link, { force: true });
    await symlink(join(folder, 'run'), link);
    await rename(link, join(commands, spec.binary));
    await syncFolder(commands);
    onStep('switched');
    await sweep(home, folder);
    onStep('swept');
    return spec;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Removes the command first, so that nothing that is half gone can be run; then tasks and files. False where there is none. */
export async function removePackage(root: Root, name: string): Promise<boolean> {
  const plugin = installedPlugins(root).find((one) => one.name === name);
  if (!plugin) return false;
  const { packages, packed, commands } = placesOf(root);
  const read = (path: string) => readFileSync(path, 'utf8');
  for (const task of taskFilesOf(root, plugin.binary, read)) await rm(task, { force: true });
  await rm(join(commands, plugin.binary), { force: true });
  await syncFolder(commands);
  await rm(join(packages, name), { recursive: true, force: true });
  await rm(join(packed, `${plugin.binary}.mjs`), { force: true });
  return true;
}

async function specIn(folder: string, name: string, version: string): Promise<PluginSpec> {
  let spec: PluginSpec;
  try {
    spec = pluginSpec.parse(JSON.parse(await readFile(join(folder, 'plugin.json'), 'utf8')));
  } catch {
    throw new UntrustedError('its plugin.json cannot be read');
  }
  if (spec.name !== name || spec.version !== version)
    throw new UntrustedError('it is another plugin than its name says');
  if (!existsSync(join(folder, `${spec.binary}.mjs`))) throw new UntrustedError('it has no program');
  return spec;
}

/** Other versions, and what attempts left that were cut off. */
async function sweep(home: string, folder: string): Promise<void> {
  for (const name of readdirSync(home)) {
    const path = join(home, name);
    if (path !== folder) await rm(path, { recursive: true, force: true });
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
