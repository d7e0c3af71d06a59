import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  openAsBlob,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { BaseFetcher, type TargetFile, Updater } from 'tuf-js';
import errors from 'tuf-js/dist/error.js';

/** The metadata that one publication consists of, beside the roots with a number in their name. */
export const METADATA = ['timestamp.json', 'snapshot.json', 'targets.json'] as const;
/** Bytes of one package at most. */
export const PACKAGE_BYTES = 256 * 1024 * 1024;

/** Why something of a repository is not taken; the message is for people. */
export class UntrustedError extends Error {
  override name = 'UntrustedError';
}

export interface TrustOptions {
  /** Where what is trusted by now is kept: the newest root and the versions that were seen. */
  trust: string;
  /** The root that came with the program or the device. */
  seed: string;
  /** Folder with `metadata/` and `targets/`, from whomever. */
  from: string;
}

export interface Trusted {
  /** What the publisher says of a file, or undefined where it was not published. */
  target(path: string): Promise<TargetFile | undefined>;
  /** Throws `UntrustedError` where the file is not what was published. */
  checked(path: string): Promise<Buffer>;
  /** Remembers what was seen, so that nothing older is taken from now on. */
  remember(): void;
}

/**
 * Checks a repository from anywhere against what is trusted by now: signatures of each role, expiry, and that nothing is
 * older than what was seen before. Throws `UntrustedError`.
 *
 * Another seed than before replaces all that was trusted: it came by a way that is trusted more.
 */
export async function openRepository({ trust, seed, from }: TrustOptions): Promise<Trusted> {
  const scratch = `${trust}.new`;
  if (!existsSync(trust) && existsSync(`${trust}.old`)) renameSync(`${trust}.old`, trust);
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const origin = createHash('sha256').update(seed).digest('hex');
  const isKnown = existsSync(join(trust, 'root.json')) && readOr(join(trust, 'seed'), '') === origin;
  if (isKnown) {
    for (const name of ['root.json', ...METADATA]) {
      if (existsSync(join(trust, name))) copyFileSync(join(trust, name), join(scratch, name));
    }
  } else writeFileSync(join(scratch, 'root.json'), seed);
  writeFileSync(join(scratch, 'seed'), origin);
  const updater = await trusting(async () => {
    const made = new Updater({
      metadataDir: scratch,
      metadataBaseUrl: 'repository:/metadata',
      targetBaseUrl: 'repository:/targets',
      fetcher: new FolderFetcher(from),
    });
    await made.refresh();
    return made;
  });
  return {
    target: (path) => trusting(() => updater.getTargetInfo(path)),
    checked: async (path) => {
      const target = await trusting(() => updater.getTargetInfo(path));
      if (!target) throw new UntrustedError(`${path} was never published`);
      if (target.length > PACKAGE_BYTES) throw new UntrustedError(`${path} is larger than packages may be`);
      const bytes = await readFile(join(from, 'targets', path)).catch(() => {
        throw new UntrustedError(`${path} is missing`);
      });
      const isWhole = bytes.length === target.length && hashesFit(bytes, target.hashes);
      if (!isWhole) throw new UntrustedError(`${path} is not what was published`);
      return bytes;
    },
    remember: () => {
      // Cut off in between, the next one begins with what was trusted before.
      const before = `${trust}.old`;
      rmSync(before, { recursive: true, force: true });
      if (existsSync(trust)) renameSync(trust, before);
      renameSync(scratch, trust);
      rmSync(before, { recursive: true, force: true });
    },
  };
}

const hashesFit = (bytes: Buffer, hashes: Record<string, string>): boolean =>
  Object.keys(hashes).length > 0 &&
  Object.entries(hashes).every(
    ([kind, hash]) =>
      (kind === 'sha256' || kind === 'sha512') && createHash(kind).update(bytes).digest('hex') === hash,
  );

/** The framework's client thinks in addresses; here they are files of one folder. */
class FolderFetcher extends BaseFetcher {
  readonly #folder: string;

  constructor(folder: string) {
    super();
    this.#folder = resolve(folder);
  }

  async fetch(url: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const path = resolve(this.#folder, `.${new URL(url).pathname}`);
    if (!path.startsWith(this.#folder + sep) || !existsSync(path)) {
      throw new errors.DownloadHTTPError('there is no such file', 404);
    }
    return (await openAsBlob(path)).stream() as ReadableStream<Uint8Array<ArrayBuffer>>;
  }
}

async function trusting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new UntrustedError(sentenceOf(error as Error));
  }
}

/** The client wraps what it found in texts of its own. */
function sentenceOf(error: Error): string {
  const said = `${error.name} ${error.message}`;
  if (/expired/i.test(said)) return 'the publication has expired, or the clock of this device is ahead';
  if (/version/i.test(said)) return 'the publication is older than one that was seen before';
  if (/sign|verif|key/i.test(said)) return 'its signature is not that of the publisher';
  return `the publication cannot be read (${error.message.slice(0, 200)})`;
}

const readOr = (path: string, other: string): string =>
  existsSync(path) ? readFileSync(path, 'utf8') : other;
