import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';

export interface KeyPairPem {
  certPem: string;
  keyPem: string;
}

/** Seals texts for the disk; `name` is that of the file, with its folder. */
export interface Sealing {
  close(text: string, name: string): string;
  open(text: string, name: string): Promise<string>;
  /** True when it is sealed as it would be now. */
  isCurrent(text: string): boolean;
}

/** Files are written as they are. */
export const UNSEALED: Sealing = {
  close: (text) => text,
  open: async (text) => text,
  isCurrent: () => true,
};

const BLOCK = /-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \1-----/g;

/**
 * Key and certificate in `<folder>/<name>.pem`; null when there is no such file. They share one file, so that a cut of
 * power leaves both or none. Throws when the file holds something else: making a new authority beside a damaged one
 * would lock out every device.
 */
export async function readKeyPair(
  folder: string,
  name: string,
  sealing: Sealing = UNSEALED,
): Promise<KeyPairPem | null> {
  const path = join(folder, `${name}.pem`);
  const kept = await readIfThere(path);
  if (kept === null) return null;
  const text = await sealing.open(kept, sealedName(folder, name));
  const blocks = new Map([...text.matchAll(BLOCK)].map(([block, label]) => [label, `${block}\n`]));
  const [certPem, keyPem] = [blocks.get('CERTIFICATE'), blocks.get('PRIVATE KEY')];
  if (certPem && keyPem) {
    if (!sealing.isCurrent(kept)) await writeKeyPair(folder, name, { certPem, keyPem }, sealing);
    return { certPem, keyPem };
  }
  throw new Error(`${path} does not hold a key and a certificate; put it back from a backup, or remove it`);
}

/** A pair as its file holds it. */
export const pairText = ({ certPem, keyPem }: KeyPairPem): string => `${keyPem.trim()}\n${certPem.trim()}\n`;

/** Writes both durably, readable by their owner only. */
export async function writeKeyPair(
  folder: string,
  name: string,
  pair: KeyPairPem,
  sealing: Sealing = UNSEALED,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const fresh = join(folder, `${name}.${randomUUID()}`);
  const file = await open(fresh, 'wx', 0o600);
  try {
    await file.writeFile(sealing.close(pairText(pair), sealedName(folder, name)));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, join(folder, `${name}.pem`));
  const directory = await open(folder);
  await directory.sync().finally(() => directory.close());
}

const sealedName = (folder: string, name: string): string => `${basename(folder)}/${name}.pem`;

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
