import { createWriteStream, existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { syncTree } from '@albedo/postgres/durable-fs';
import { CommandError, type Say } from '../command-line/command.ts';
import { readBackup, type Taker } from './backup.archive.ts';
import { backupAt } from './backup.places.ts';

const KEY_LINE = /AGE-SECRET-KEY-1[A-Z0-9]+/;
/** What a database folder needs although nothing may be in it. */
const EMPTY_FOLDERS = [
  'pg_commit_ts',
  'pg_dynshmem',
  'pg_logical/mappings',
  'pg_logical/snapshots',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat',
  'pg_stat_tmp',
  'pg_tblspc',
  'pg_twophase',
  'pg_wal/archive_status',
  'pg_wal/summaries',
];

function parsed(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { identity: { type: 'string' }, to: { type: 'string' } },
  });
  const [file] = positionals;
  if (!file || !values.identity)
    throw new CommandError('Name the backup, and the file with its key: --identity key.txt');
  return { file, identityFile: values.identity, to: values.to };
}

/** The secret key in a file as age-keygen writes it. */
async function identityIn(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new CommandError(`The file ${path} cannot be read.`);
  });
  const key = KEY_LINE.exec(text)?.[0];
  if (!key) throw new CommandError(`There is no key of age in ${path}.`);
  return key;
}

/** `<file> --identity <key file>`: reads the whole backup and compares every checksum. */
export async function verifyBackup(args: readonly string[], say: Say): Promise<number> {
  const { file, identityFile } = parsed(args);
  let files = 0;
  const count: Taker = {
    file: async (_name, content) => {
      files++;
      content.resume();
      await new Promise((done, failed) => content.once('end', done).once('error', failed));
    },
    link: async () => {},
  };
  const { place, name } = await backupAt(file);
  try {
    const { at, base } = await readBackup(place, name, await identityIn(identityFile), count);
    const beside = base ? `, with ${base}` : '';
    say(`${place.label(name)} is whole${beside}: ${files} files of ${at}.`);
    return 0;
  } finally {
    place.close();
  }
}

/** `<file> --identity <key file> --to <folder>`: makes a data folder of it, which must not be there or be empty. */
export async function restoreBackup(args: readonly string[], say: Say): Promise<number> {
  const { file, identityFile, to } = parsed(args);
  if (!to) throw new CommandError('Name the data folder that the backup is to become: --to <folder>');
  const folder = resolve(to);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new CommandError(`${folder} is not empty. A backup becomes a data folder of its own.`);
  const unfinished = `${folder}.restoring`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const { place, name } = await backupAt(file);
  try {
    const { at } = await readBackup(place, name, await identityIn(identityFile), into(unfinished));
    for (const name of EMPTY_FOLDERS)
      await mkdir(join(unfinished, 'postgres', 'cluster', name), { recursive: true, mode: 0o700 });
    await syncTree(unfinished);
    await rm(folder, { recursive: true, force: true });
    await rename(unfinished, folder);
    say(`${folder} is the data folder of ${at}. Start the server on it with ALBEDO_DATA=${folder}.`);
    return 0;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  } finally {
    place.close();
  }
}

const into = (folder: string): Taker => {
  const placeOf = async (name: string) => {
    const path = join(folder, ...name.split('/'));
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return path;
  };
  return {
    file: async (name: string, content: Readable) =>
      pipeline(content, createWriteStream(await placeOf(name), { mode: 0o600 })),
    link: async (name, target) => symlink(target, await placeOf(name)),
  };
};
