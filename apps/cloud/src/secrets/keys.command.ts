import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { CommandError, type Say } from '../command-line/command.ts';
import type { Config } from '../config/config.ts';
import { openDatabase } from '../database/database.ts';
import { KeyRing, makeKey } from './key-ring.ts';
import { readKeys } from './key-source.ts';
import { SecretsStore } from './secrets.store.ts';
import { write } from './secrets.ts';

/** Folders of the data folder whose files are secrets. */
const FOLDERS = ['secrets', 'ca'];

/**
 * Seals all secrets with another key. A key file gets a new one, first beside the old one, so that a start in between
 * opens everything; keys of the environment and of a command are put there by whoever runs the server.
 */
export async function rotateKeys(config: Config, say: Say): Promise<number> {
  const dataDir = resolve(config.dataDir);
  const keys = await readKeys(config);
  const [current] = keys;
  if (!current)
    throw new CommandError(
      'No key is given. Put one into a file ("albedo keys new" prints one), name the file with ALBEDO_KEY_FILE, and start the server: it seals all secrets.',
    );
  if (config.keyFile === null) return rotateGiven(config, dataDir, keys, say);
  const fresh = makeKey();
  await write(config.keyFile, `${[fresh, ...keys].join('\n')}\n`);
  const count = await sealAll(config, dataDir, new KeyRing([fresh, ...keys]));
  await write(config.keyFile, `${fresh}\n`);
  say(
    `${count} secrets are sealed with a new key in ${config.keyFile}. Keep a copy of it apart from the backups.`,
  );
  return 0;
}

async function rotateGiven(config: Config, dataDir: string, keys: string[], say: Say): Promise<number> {
  if (keys.length === 1)
    throw new CommandError(
      'Give the new key in front of the old one, with a space between them ("albedo keys new" prints one), then run this again.',
    );
  const count = await sealAll(config, dataDir, new KeyRing(keys));
  say(`${count} secrets are sealed with the first key. The others can go.`);
  return 0;
}

async function sealAll(config: Config, dataDir: string, ring: KeyRing): Promise<number> {
  let count = 0;
  for (const name of FOLDERS.flatMap((folder) => secretsIn(dataDir, folder))) {
    const text = await readFile(join(dataDir, name), 'utf8');
    await write(join(dataDir, name), ring.close(await ring.open(text, name), name));
    count++;
  }
  return count + (config.databaseUrl === null ? 0 : await sealShared(config.databaseUrl, dataDir, ring));
}

const secretsIn = (dataDir: string, folder: string): string[] =>
  existsSync(join(dataDir, folder))
    ? readdirSync(join(dataDir, folder))
        // What a cut of power left behind is no secret of its own, and certificates and lists are public.
        .filter((name) => !/\.(new|crt)$|^crl\.pem$/.test(name))
        .map((name) => `${folder}/${name}`)
    : [];

const sealShared = (url: string, dataDir: string, ring: KeyRing): Promise<number> =>
  withShared(url, dataDir, async (store) => {
    const rows = await store.all();
    for (const { name, value } of rows)
      await store.replace(name, ring.close(await ring.open(value, name), name));
    return rows.length;
  });

/** With the secrets that processes of one database share. */
export async function withShared<T>(
  url: string,
  dataDir: string,
  work: (store: SecretsStore) => Promise<T>,
): Promise<T> {
  const postgres = await openDatabase({
    url,
    dataDir: join(dataDir, 'postgres'),
    log: pino({ level: 'silent' }),
  });
  try {
    return await work(new SecretsStore(postgres));
  } finally {
    await postgres.close();
  }
}
