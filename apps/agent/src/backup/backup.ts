import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import {
  BACKUP_LIMITS,
  type BackedUpPlugin,
  backedUpPlugin,
} from '@albedo/contract/device-backups/device-backups.schema';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { type Change, changedFile } from '../changes/at-once.ts';
import { AskError } from '../link/ask-error.ts';
import { installedPlugins } from '../plugins/plugin-place.ts';
import type { Root } from '../root.ts';
import { demandOwnFolder } from '../schedules/control-place.ts';

/** What a backup holds, as paths of an installed agent. Never the keys, and never the outbox: its numbers were given out. */
const PLACES = ['/etc/albedo', '/opt/albedo/run', '/var/lib/albedo/plugins'] as const;
const SERVICES = '/etc/albedo/services';
/** Below these, what the backup does not have is taken away by a restore: a task that is left would go on. */
const WHOLE = [SERVICES, '/opt/albedo/run'] as const;
const CONFIG = '/etc/albedo/albedo.yaml';
const NOT = /^\/etc\/albedo\/(?:keys(?:\/|$)|albedo\.yaml\.)/;
/** Sections that belong to the device: how it reaches the cloud, and who gets in. */
const OWN_SECTIONS = ['mqtt', 'remote'] as const;

export const backup = z.object({
  v: z.literal(1),
  at: z.number(),
  files: z.array(changedFile).max(BACKUP_LIMITS.files),
  /** What was installed from the repository. Its packages are not in the backup: they come from there again. */
  plugins: z.array(backedUpPlugin).max(BACKUP_LIMITS.plugins).default([]),
});
export type Backup = z.infer<typeof backup>;

/** Reads everything that belongs into a backup. Throws AskError where that is too much. */
export function readBackup(root: Root): Backup {
  const files: Backup['files'] = [];
  let bytes = 0;
  for (const path of PLACES.flatMap((place) => [...filesBelow(root, place)])) {
    const content = readFileSync(root.at(path));
    bytes += content.length;
    if (bytes > BACKUP_LIMITS.bytes || files.length >= BACKUP_LIMITS.files) {
      throw new AskError(
        'unable',
        `There is more than a backup holds: ${BACKUP_LIMITS.files} files and ${BACKUP_LIMITS.bytes} bytes.`,
      );
    }
    const { mode } = lstatSync(root.at(path));
    files.push({ path, mode: mode & 0o777, content: content.toString('base64') });
  }
  return { v: 1, at: Date.now(), files, plugins: packagesOn(root) };
}

/** What a restore writes and takes away. Throws AskError for a backup that would write elsewhere. */
export function planRestore(root: Root, { files }: Backup): Change {
  for (const { path, content } of files) {
    const isInside = PLACES.some((place) => path.startsWith(`${place}/`));
    if (
      !isInside ||
      path !== normalize(path) ||
      path.includes('\0') ||
      path.endsWith('/') ||
      NOT.test(path)
    ) {
      throw new AskError('invalid', `A backup does not hold ${path.slice(0, 200)}.`);
    }
    demandNoLinks(root, path);
    if (path.startsWith(`${SERVICES}/`)) demandOwnFolder(root, Buffer.from(content, 'base64').toString());
  }
  const kept = new Set(files.map(({ path }) => path));
  if (kept.size < files.length) throw new AskError('invalid', 'The backup has a file twice.');
  return {
    files: files.map((one) =>
      one.path === CONFIG ? { ...one, content: withOwnSections(root, one.content) } : one,
    ),
    remove: WHOLE.flatMap((place) => [...filesBelow(root, place)]).filter((path) => !kept.has(path)),
  };
}

/** Plugins of a backup that this device does not have, in any version. */
export function missingPlugins(root: Root, { plugins }: Backup): BackedUpPlugin[] {
  const there = new Set(installedPlugins(root).map(({ name }) => name));
  return plugins.filter(({ name }) => !there.has(name));
}

/** What came with the agent has no version; what has no name of the repository was put there by somebody. */
const packagesOn = (root: Root): BackedUpPlugin[] =>
  installedPlugins(root).flatMap((one) => backedUpPlugin.safeParse(one).data ?? []);

/** A link on the way could lead out of the place. */
function demandNoLinks(root: Root, path: string): void {
  for (let at = path; at !== '/'; at = dirname(at)) {
    const facts = lstatSync(root.at(at), { throwIfNoEntry: false });
    const isFine = !facts || (at === path ? facts.isFile() : facts.isDirectory());
    if (PLACES.some((place) => at.startsWith(`${place}/`)) && !isFine) {
      throw new AskError('invalid', `${at} is no plain ${at === path ? 'file' : 'folder'} on this device.`);
    }
  }
}

function withOwnSections(root: Root, content: string): string {
  const restored = parseDocument(Buffer.from(content, 'base64').toString());
  const present = parseDocument(readFileSync(root.configFile, 'utf8'));
  if (restored.errors.length > 0 || present.errors.length > 0) {
    throw new AskError('invalid', 'The configuration cannot be read.');
  }
  for (const section of OWN_SECTIONS) {
    if (present.has(section)) restored.set(section, restored.createNode(present.toJS()[section]));
    else restored.delete(section);
  }
  return Buffer.from(restored.toString({ lineWidth: 0 })).toString('base64');
}

function* filesBelow(root: Root, folder: string): Generator<string> {
  const entries = (() => {
    try {
      return readdirSync(root.at(folder), { withFileTypes: true });
    } catch {
      // Most devices have no such folder.
      return [];
    }
  })();
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (NOT.test(path)) continue;
    if (entry.isDirectory()) yield* filesBelow(root, path);
    else if (entry.isFile()) yield path;
  }
}
