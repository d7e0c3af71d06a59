import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Postgres } from '@albedo/postgres/postgres';
import { KeyError, type KeyRing } from './key-ring.ts';
import { SecretsStore } from './secrets.store.ts';

/** What the embedded database knows of a secret: that it was made. */
const IN_FOLDER = 'in the data folder';

/** Where secrets are kept, and what seals them. */
export interface SecretsHome {
  dataDir: string;
  postgres: Postgres;
  keys: KeyRing;
}

/**
 * The secret kept in `<dataDir>/<name>` (mode 0600), made by `make` at the first call. It lies there sealed where the
 * ring has a key; one that is not, or was sealed by an older key, is sealed anew.
 *
 * With a served database every process must use the same one, so the first to come leaves it there and the others
 * take it over; with the embedded database it never leaves the data folder.
 *
 * Throws `KeyError` when the ring cannot open it, and when it was there once and is gone: nobody would be known by another one.
 */
export async function keepSecret(
  { dataDir, postgres, keys }: SecretsHome,
  name: string,
  make: () => Promise<string> | string,
): Promise<string> {
  const path = join(dataDir, name);
  const kept = await readIfThere(path);
  const store = new SecretsStore(postgres);
  if (postgres.engine === 'pglite') {
    if (kept === null && (await store.get(name)) !== undefined) throw isGone(path, name);
    const value = kept === null ? await make() : await keys.open(kept, name);
    if (kept === null || !keys.isCurrent(kept)) await write(path, keys.close(value, name));
    await store.leave(name, IN_FOLDER);
    return value;
  }

  const own = async () => (kept === null ? make() : keys.open(kept, name));
  const shared = (await store.get(name)) ?? (await store.leave(name, keys.close(await own(), name)));
  const value = await keys.open(shared, name);
  if (!keys.isCurrent(shared)) await store.replace(name, keys.close(value, name));
  // The copy may be sealed by a key that is gone.
  const copy = kept === null ? null : await keys.open(kept, name).catch(() => null);
  if (kept === null || copy !== value || !keys.isCurrent(kept)) await write(path, keys.close(value, name));
  return value;
}

const isGone = (path: string, name: string): KeyError =>
  new KeyError(
    `${path} is gone. Put ${name} back from a backup; "albedo keys" followed by what it is for and --at-once makes another one, and ends what this one has made.`,
  );

/** Written beside and renamed, so that a cut of power leaves the old one or the new one. */
export async function write(path: string, value: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(value);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  const directory = await open(folder);
  await directory.sync().finally(() => directory.close());
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
