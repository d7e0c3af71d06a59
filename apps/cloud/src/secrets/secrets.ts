import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Postgres } from '@albedo/postgres/postgres';
import { SecretsStore } from './secrets.store.ts';

/**
 * The secret kept in `<dataDir>/<name>` (mode 0600), made by `make` at the first call.
 *
 * With a served database every process must use the same one, so the first to come leaves it there and the others
 * take it over; with the embedded database it never leaves the data folder.
 */
export async function keepSecret(
  dataDir: string,
  postgres: Postgres,
  name: string,
  make: () => Promise<string> | string,
): Promise<string> {
  const path = join(dataDir, name);
  const kept = await readIfThere(path);
  if (postgres.engine === 'pglite') return kept ?? write(path, await make());

  const store = new SecretsStore(postgres);
  const shared = (await store.get(name)) ?? (await store.leave(name, kept ?? (await make())));
  return shared === (await readIfThere(path)) ? shared : write(path, shared);
}

/** Written beside and renamed, so that a cut of power leaves the old one or the new one. */
async function write(path: string, value: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(value);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  return value;
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
