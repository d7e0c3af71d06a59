import {
  closeSync,
  cpSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { amcheck } from '@electric-sql/pglite/contrib/amcheck';
import { DurableFS, syncTree } from './durable-fs.ts';

/**
 * PGlite starts with `-F` (no fsync) of its own accord. Its buffers are memory of this process, and the operating
 * system keeps the same pages once more: an eighth of PostgreSQL's usual size is plenty for records.
 */
const START_PARAMS = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  '-c',
  'fsync=on',
  '-c',
  'synchronous_commit=on',
  '-c',
  'wal_sync_method=fsync',
  '-c',
  'shared_buffers=16MB',
];

/** Opens the cluster in a folder, made by initdb when the folder is empty. */
export async function openCluster(folder: string): Promise<{ client: PGlite; fs: DurableFS }> {
  mkdirSync(folder, { recursive: true });
  const fs = new DurableFS(folder);
  const client = new PGlite({ fs, startParams: START_PARAMS, extensions: { amcheck } });
  await client.waitReady;
  // What it says whether an index is damaged with.
  await client.exec('create extension if not exists amcheck schema pg_catalog');
  return { client, fs };
}

/** Makes an empty cluster in a folder that does not exist; it is there whole and on the disk, or not at all. */
export async function makeCluster(folder: string, template = templateFolder()): Promise<void> {
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  if (existsSync(template)) cpSync(template, fresh, { recursive: true });
  else await initialise(fresh);
  await syncTree(fresh);
  renameSync(fresh, folder);
  syncFolder(dirname(folder));
}

/**
 * Makes the cluster that new ones are copied from, when it is not there: initdb takes seconds, a copy does not.
 * Answers whether it was made.
 */
export async function makeTemplate(template = templateFolder()): Promise<boolean> {
  if (existsSync(template)) return false;
  const fresh = `${template}.${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  await initialise(fresh);
  try {
    renameSync(fresh, template);
    return true;
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another build was quicker.
    if (existsSync(template)) return false;
    throw error;
  }
}

/** Without syncs, which would make initdb several times as slow; who uses the folder syncs all of it. */
async function initialise(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const client = await PGlite.create(folder);
  await client.exec('CHECKPOINT');
  await client.close();
}

/** Where the cluster is that new ones are copied from: beside the library, one for each version of it. */
export function templateFolder(): string {
  const library = dirname(dirname(fileURLToPath(import.meta.resolve('@electric-sql/pglite'))));
  const { version } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as { version: string };
  return join(library, '../../.cache', `albedo-cluster-${version}`);
}

function syncFolder(folder: string): void {
  const file = openSync(folder, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
