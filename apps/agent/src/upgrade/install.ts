import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { cp, mkdir, open, readdir, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { UpgradeManifest, UpgradeStep } from '@albedo/contract/upgrades/upgrades.schema';
import { AskError } from '../link/ask-error.ts';
import { messageOf } from '../log.ts';
import { Bytes } from './bytes.ts';
import { guardScript, type Launch, schedule } from './guard.ts';
import { type Program, type Trial, targetOf } from './program.ts';

/** How long a new version may take to say which one it is, ms. */
const TRY_MS = 30_000;
/** What the program has beside it. */
const BESIDE = ['pty', 'ardpkg.mjs', 'albedoctl.mjs', 'plugins-root.json'];
const run = promisify(execFile);

export interface InstallOptions {
  program: Program;
  manifest: UpgradeManifest;
  /** The version that runs. */
  version: string;
  incoming: AsyncIterable<Uint8Array>;
  trialMinutes: number;
  launch: Launch;
  signal: AbortSignal;
  onStep: (step: UpgradeStep) => Promise<void>;
}

/**
 * Puts the version of a checked manifest beside the one that runs and switches to it by one rename.
 *
 * Cut off at any step, the service starts the old version or the new one, each whole: until the rename nothing that
 * runs is touched, and the guard that brings the old one back is there before it.
 */
export async function install(options: InstallOptions): Promise<void> {
  const { program, manifest, onStep } = options;
  const { versions } = program;
  const home = join(versions, manifest.version);
  const fresh = join(versions, `.new-${manifest.version}`);
  const before = targetOf(program);
  await mkdir(versions, { recursive: true });
  await sweepCutOff(program);
  await sweepVersions(versions, before);
  await receive(fresh, options);
  await onStep('received');
  await tryOut(join(fresh, 'agent.mjs'), manifest.version);
  await onStep('tried');
  // What lies there is of an attempt that came to nothing: the version that runs is another one.
  await removeAll(home);
  await rename(fresh, home);
  await syncFolder(versions);
  await onStep('placed');
  const back = before ?? (await keepFirst(program, options.version));
  await onStep('kept');
  const { id, version: to } = manifest;
  const note: Trial = { id, from: options.version, to, back, at: Date.now() };
  await writeNote(program.trialFile, note);
  await onStep('marked');
  try {
    await schedule(guardScript(program, id, back, options.launch), options.trialMinutes);
    await onStep('guarded');
    options.signal.throwIfAborted();
    await switchTo(program, join('versions', to, 'agent.mjs'));
  } catch (error) {
    await rm(program.trialFile, { force: true });
    if (error instanceof AskError) throw error;
    throw new AskError('unable', messageOf(error));
  }
  await onStep('switched');
}

/** Writes the files as they come, each checked against the manifest. */
async function receive(folder: string, { manifest, incoming, signal }: InstallOptions): Promise<void> {
  await removeAll(folder);
  const bytes = new Bytes(incoming);
  for (const { path, size, sha256, mode } of manifest.files) {
    const place = join(folder, path);
    await mkdir(dirname(place), { recursive: true, mode: 0o755 });
    const file = await open(place, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
    try {
      const hash = createHash('sha256');
      for await (const chunk of bytes.take(size)) {
        signal.throwIfAborted();
        hash.update(chunk);
        await file.write(chunk);
      }
      if (hash.digest('hex') !== sha256) {
        throw new AskError('refused', `The new version is not installed: ${path} is not what was signed.`);
      }
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
  }
  await syncFolder(folder);
}

/** A program that does not even say which version it is never gets its turn. */
async function tryOut(file: string, version: string): Promise<void> {
  const said = await run(process.execPath, [file, '-v'], { timeout: TRY_MS }).catch((error: Error) => {
    throw new AskError('unable', `The new version does not run on this machine: ${error.message}`);
  });
  if (said.stdout.trim() !== version) {
    throw new AskError('unable', `The new version says that it is ${said.stdout.trim().slice(0, 60)}.`);
  }
}

/** The version that the installer put there as plain files gets a folder as all later ones have. */
async function keepFirst({ link, versions }: Program, version: string): Promise<string> {
  const home = join(versions, version);
  const fresh = join(versions, `.new-${version}`);
  if (!existsSync(home)) {
    await removeAll(fresh);
    await mkdir(fresh, { recursive: true });
    await cp(link, join(fresh, 'agent.mjs'));
    for (const part of BESIDE) {
      const path = join(dirname(link), part);
      if (existsSync(path)) await cp(path, join(fresh, part), { recursive: true });
    }
    await syncFile(join(fresh, 'agent.mjs'));
    await rename(fresh, home);
    await syncFolder(versions);
  }
  return join('versions', version, 'agent.mjs');
}

/** One rename: whoever starts the program finds the old target or the new one. */
async function switchTo({ link }: Program, target: string): Promise<void> {
  const fresh = freshLink(link);
  await rm(fresh, { force: true });
  await symlink(target, fresh);
  await rename(fresh, link);
  await syncFolder(dirname(link));
}

/** Versions that are neither in use nor the one before. */
async function sweepVersions(versions: string, target: string | null): Promise<void> {
  if (target === null) return;
  const inUse = basename(dirname(target));
  for (const name of await readdir(versions)) {
    if (/^\d+\.\d+\.\d+$/.test(name) && name !== inUse) await removeAll(join(versions, name));
  }
}

/** What attempts left that were cut off. Not to be asked while a version is installed. */
export async function sweepCutOff({ link, versions }: Program): Promise<void> {
  await rm(freshLink(link), { force: true });
  if (!existsSync(versions)) return;
  for (const name of await readdir(versions)) {
    if (name.startsWith('.new-')) await removeAll(join(versions, name));
  }
}

const removeAll = (path: string) => rm(path, { recursive: true, force: true });
/** Beside the link: what takes its place by a rename. */
const freshLink = (link: string) => join(dirname(link), '.agent.mjs.new');

export async function writeNote(file: string, note: object): Promise<void> {
  const fresh = `${file}.new`;
  const handle = await open(fresh, 'w', 0o644);
  try {
    await handle.writeFile(`${JSON.stringify(note)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, file);
  await syncFolder(dirname(file));
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  await file.sync().finally(() => file.close());
}
const syncFolder = syncFile;
