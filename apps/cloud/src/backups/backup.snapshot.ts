import { constants, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { copyFile, mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Postgres } from '@albedo/postgres/postgres';
import { CommandError } from '../command-line/command.ts';
import type { Source } from './backup.archive.ts';

/** Name of the frozen parts, below `shadow` of the telemetry. */
const FROZEN = 'backup';
/** What the records are copied to, until they are in the backup. */
const STAGING = 'backup-staging';
const AT_ONCE = 4;
/** Room that has to be left for what comes in while the records are copied. */
const SPARE_BYTES = 16 * 1024 * 1024;
/** Folders that are kept as they are: their files are written once and replaced as a whole. */
const PLAIN = ['ca', 'secrets', 'files'];

/**
 * A data folder at one moment. The records stand still while they are copied and the parts of the telemetry are linked
 * (a moment, whatever their size); both run on while the backup is written from the copy and the links. `end` takes
 * them away.
 */
export async function takeSnapshot(of: {
  dataDir: string;
  postgres: Postgres;
  /** Links all parts of the telemetry as they are now to `shadow/<name>`. */
  freeze: (name: string) => Promise<void>;
}): Promise<{ sources: Source[]; leftovers: string[]; end: () => void }> {
  const { dataDir, postgres, freeze } = of;
  const staging = join(dataDir, STAGING);
  const telemetry = join(dataDir, 'telemetry');
  const frozen = join(telemetry, 'shadow', FROZEN);
  const leftovers = [staging, frozen];
  const end = () => {
    for (const path of leftovers) rmSync(path, { recursive: true, force: true });
  };
  end();
  const records = join(dataDir, 'postgres', 'cluster');
  // Asked for first: a checkpoint that finds no room may end the engine of the records.
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize < sizeOf(records) + SPARE_BYTES) throw noRoom(dataDir);
  try {
    await mkdir(staging, { recursive: true, mode: 0o700 });
    // Little is left to copy of the log afterwards.
    await postgres.exec('CHECKPOINT');
    // The embedded engine has one connection: inside of a transaction nobody else writes.
    await postgres.db.transaction(async () => {
      await freeze(FROZEN);
      await copyFolder(records, join(staging, 'cluster'));
    });
    const sources = [
      ...filesBelow(join(staging, 'cluster'), 'postgres/cluster'),
      ...filesBelow(telemetry, 'telemetry', isShapeOfTelemetry),
      ...filesBelow(frozen, 'telemetry'),
      ...PLAIN.flatMap((name) => filesBelow(join(dataDir, name), name)),
    ];
    return { sources, leftovers, end };
  } catch (error) {
    end();
    throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? noRoom(dataDir) : error;
  }
}

const noRoom = (dataDir: string) =>
  new CommandError(`There is no room in ${dataDir} for the copy of the records that a backup is made of.`);

/** Of the files below a folder, bytes. One that goes meanwhile needs no room. */
function sizeOf(folder: string): number {
  const sizes = filesBelow(folder, '').map(
    ({ path }) => statSync(path, { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** As many files at once as the machine's threads take; what copies a folder by itself looks at each of them four times. */
async function copyFolder(from: string, to: string): Promise<void> {
  const files: [from: string, to: string][] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    mkdirSync(join(to, folder), { recursive: true, mode: 0o700 });
    for (const entry of readdirSync(join(from, folder), { withFileTypes: true })) {
      const name = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(name);
      else files.push([join(from, name), join(to, name)]);
    }
  }
  const next = files.values();
  const copying = Array.from({ length: AT_ONCE }, async () => {
    for (const [file, copy] of next) await copyFile(file, copy, constants.COPYFILE_FICLONE);
  });
  await Promise.all(copying);
}

/** What tells which tables there are. Their parts, which come and go, are taken from the links. */
function isShapeOfTelemetry(name: string): boolean {
  const [, top = '', , table, part] = name.split('/');
  if (!['metadata', 'data', 'store'].includes(top)) return false;
  if (top !== 'store' || table === undefined || part === undefined) return true;
  return /\.(sql|txt)$/.test(part);
}

/** Files and links, by name; of `telemetry` those of the shape alone. */
function filesBelow(
  folder: string,
  prefix: string,
  wanted: (name: string) => boolean = () => true,
): Source[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const [name, path] = [`${prefix}/${entry.name}`, join(folder, entry.name)];
      if (!wanted(name)) return [];
      if (entry.isDirectory()) return filesBelow(path, name, wanted);
      return entry.isFile() || entry.isSymbolicLink() ? [{ name, path }] : [];
    });
}
