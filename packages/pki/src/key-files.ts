import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

export interface KeyPairPem {
  certPem: string;
  keyPem: string;
}

const BLOCK = /-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \1-----/g;

/**
 * Key and certificate in `<folder>/<name>.pem`; null when there is no such file. They share one file, so that a cut of
 * power leaves both or none. Throws when the file holds something else: making a new authority beside a damaged one
 * would lock out every device.
 */
export async function readKeyPair(folder: string, name: string): Promise<KeyPairPem | null> {
  const path = join(folder, `${name}.pem`);
  const text = await readIfThere(path);
  if (text === null) return null;
  const blocks = new Map([...text.matchAll(BLOCK)].map(([block, label]) => [label, `${block}\n`]));
  const [certPem, keyPem] = [blocks.get('CERTIFICATE'), blocks.get('PRIVATE KEY')];
  if (certPem && keyPem) return { certPem, keyPem };
  throw new Error(`${path} does not hold a key and a certificate; put it back from a backup, or remove it`);
}

/** Writes both durably, readable by their owner only. */
export async function writeKeyPair(folder: string, name: string, pair: KeyPairPem): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const fresh = join(folder, `${name}.${randomUUID()}`);
  const file = await open(fresh, 'wx', 0o600);
  try {
    await file.writeFile(`${pair.keyPem.trim()}\n${pair.certPem.trim()}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, join(folder, `${name}.pem`));
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
