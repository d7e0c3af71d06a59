import { createHash } from 'node:crypto';
import { connect, isIP, type Socket } from 'node:net';
import { promisify } from 'node:util';
import type { SftpFolder } from '@albedo/contract/external-sources/external-sources.schema';
import { fitsPattern } from '@albedo/contract/labelling/wildcards';
import type { Client, FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import { bare, OutsideError, type OutsideFetch, wordsOf } from '../outbound/outside-fetch.ts';
import { bytesOf, FILE_BYTES, RefusedFile, type RemoteFile, UnreadFile } from './foreign-files.ts';

/** How many names of a folder are read. */
const NAMES = 20_000;
const CONNECT_MS = 20_000;
/** How programs name a file while they write it. */
const UNFINISHED = /^[.~]|\.(?:part|filepart|partial|tmp|temp|crdownload|swp|lock)$/i;

/** The server showed another key than expected. */
export class OtherHostKey extends OutsideError {}

/** An open folder of an SFTP server. */
export class SftpReader {
  readonly hostKey: string;
  readonly #client: Client;
  readonly #sftp: SFTPWrapper;
  readonly #folder: string;
  readonly #pattern: string;

  private constructor(of: {
    hostKey: string;
    client: Client;
    sftp: SFTPWrapper;
    folder: string;
    pattern: string;
  }) {
    this.hostKey = of.hostKey;
    this.#client = of.client;
    this.#sftp = of.sftp;
    this.#folder = of.folder;
    this.#pattern = of.pattern;
  }

  /**
   * Connects through the gate. The server must prove that it has the expected key before it gets any secret; if none is
   * expected, `hostKey` is the one that it showed. `cut` ends the connection. Throws `OutsideError`.
   */
  static async open(
    gate: Pick<OutsideFetch, 'lookupOf'>,
    { address, user, signIn, folder, files, hostKey: expected }: SftpFolder,
    secret: string | null,
    cut?: AbortSignal,
  ): Promise<SftpReader> {
    if (!URL.canParse(address)) throw new OutsideError('this is no address.');
    const url = new URL(address);
    const socket = await socketTo(gate, url);
    const { Client: SshClient } = (await import('ssh2')).default;
    const client = new SshClient();
    const end = () => {
      client.destroy();
      socket.destroy();
    };
    cut?.addEventListener('abort', end, { once: true });
    client.on('close', () => cut?.removeEventListener('abort', end));
    let hostKey = '';
    try {
      await new Promise<void>((resolve, reject) => {
        client.on('ready', () => resolve());
        client.on('error', reject);
        client.on('close', () => reject(new OutsideError(`${url.host} ended the connection.`)));
        client.on('keyboard-interactive', (_name, _instructions, _language, prompts, answer) =>
          answer(prompts.map(() => secret ?? '')),
        );
        client.connect({
          sock: socket,
          username: user,
          ...(signIn === 'key'
            ? { privateKey: secret ?? '' }
            : { password: secret ?? '', tryKeyboard: true }),
          readyTimeout: CONNECT_MS,
          keepaliveInterval: 10_000,
          hostVerifier: (key: Buffer) => {
            hostKey = `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
            return expected === null || expected.replace(/=+$/, '') === hostKey;
          },
        });
      });
      // Later failures are reported by the call that runs into them.
      client.on('error', () => undefined);
      const sftp = await promisify(
        client.sftp.bind(client) as (cb: (e: Error | null, s: SFTPWrapper) => void) => void,
      )();
      // A server that breaks the protocol ends the connection, not this process.
      sftp.on('error', () => client.destroy());
      return new SftpReader({ hostKey, client, sftp, folder, pattern: files });
    } catch (error) {
      end();
      if (expected !== null && hostKey !== '' && hostKey !== expected.replace(/=+$/, ''))
        throw new OtherHostKey(
          `the key of ${url.host} is another one now: ${hostKey}. Ask who runs it, and accept it in the source if that is right.`,
        );
      throw new OutsideError(signInWords(error, url.host, signIn), { cause: error });
    }
  }

  /** Matching files, oldest first, without links, folders and files that are still being written. Throws `OutsideError`. */
  async list(): Promise<RemoteFile[]> {
    const entries = await this.#entries();
    return entries
      .flatMap(({ filename, attrs }) => {
        const isName = filename !== '' && !/[/\\\p{Cc}]/u.test(filename) && filename.length <= 300;
        if (!isName || !attrs.isFile() || UNFINISHED.test(filename)) return [];
        return fitsPattern(this.#pattern, filename) ? [remoteOf(filename, attrs)] : [];
      })
      .toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0) || a.name.localeCompare(b.name));
  }

  /** The file as it is now; null if it is gone. Throws `UnreadFile`, `OutsideError`. */
  async look(name: string): Promise<RemoteFile | null> {
    try {
      // Does not follow links.
      const stats = await promisify(this.#sftp.lstat.bind(this.#sftp))(this.#path(name));
      return stats.isFile() ? remoteOf(name, stats) : null;
    } catch (error) {
      if (codeOf(error) === GONE) return null;
      throw readError(error);
    }
  }

  /** Throws `RefusedFile`, `UnreadFile`, `OutsideError`. */
  async read(name: string): Promise<Buffer> {
    const stream = this.#sftp.createReadStream(this.#path(name), { highWaterMark: 256 * 1024 });
    // Closing may fail again, and nobody would handle that.
    stream.on('error', () => undefined);
    try {
      return await bytesOf(stream, FILE_BYTES);
    } catch (error) {
      throw error instanceof RefusedFile ? error : readError(error);
    } finally {
      stream.destroy();
    }
  }

  close(): void {
    this.#client.end();
    this.#client.destroy();
  }

  #path(name: string): string {
    return `${this.#folder.replace(/\/+$/, '')}/${name}`;
  }

  async #entries(): Promise<FileEntryWithStats[]> {
    const sftp = this.#sftp;
    const folder = this.#folder === '' ? '/' : this.#folder;
    try {
      const handle = await promisify(sftp.opendir.bind(sftp))(folder);
      const entries: FileEntryWithStats[] = [];
      try {
        while (entries.length < NAMES) {
          const some = await nextEntries(sftp, handle);
          if (!some) return entries;
          entries.push(...some);
        }
        throw new OutsideError(
          `the folder ${folder} has more than ${NAMES} files. Choose another one, or have old ones moved.`,
        );
      } finally {
        sftp.close(handle, () => undefined);
      }
    } catch (error) {
      if (error instanceof OutsideError) throw error;
      throw new OutsideError(`the folder ${folder} could not be listed: ${statusWords(error)}`, {
        cause: error,
      });
    }
  }
}

const END_OF_LIST = 1;

function nextEntries(sftp: SFTPWrapper, handle: Buffer): Promise<FileEntryWithStats[] | null> {
  return new Promise((resolve, reject) => {
    sftp.readdir(handle, (error, list) => {
      if (!error) resolve(list);
      else if ((error as { code?: unknown }).code === END_OF_LIST) resolve(null);
      else reject(error);
    });
  });
}

const remoteOf = (name: string, { size, mtime }: Pick<Stats, 'size' | 'mtime'>): RemoteFile => ({
  name,
  bytes: size,
  at: mtime > 0 ? mtime * 1000 : null,
});

async function socketTo(gate: Pick<OutsideFetch, 'lookupOf'>, url: URL): Promise<Socket> {
  const lookup = await gate.lookupOf(url);
  const host = bare(url.hostname);
  const port = Number(url.port || 22);
  const socket = connect({ host, port, ...(isIP(host) === 0 ? { lookup } : {}) });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
      socket.setTimeout(CONNECT_MS, () => reject(new OutsideError(`${url.host} did not answer in time.`)));
    });
    socket.setTimeout(60_000, () => socket.destroy());
    return socket;
  } catch (error) {
    socket.destroy();
    throw error instanceof OutsideError
      ? error
      : new OutsideError(wordsOf(error, url.host), { cause: error });
  }
}

function signInWords(error: unknown, host: string, signIn: SftpFolder['signIn']): string {
  if (error instanceof OutsideError) return error.message;
  const { message = '', level } = error as { message?: string; level?: string };
  if (level === 'client-authentication')
    return `${host} does not let this user in with that ${signIn === 'key' ? 'key' : 'password'}.`;
  if (/private ?key|key format|passphrase/i.test(message))
    return /encrypted|passphrase/i.test(message)
      ? 'the private key has a passphrase. Use one without.'
      : 'this is no private key. Paste one as OpenSSH or PEM writes it.';
  if (level === 'client-timeout') return `${host} did not answer in time.`;
  if (/handshake|protocol|ident/i.test(message)) return `${host} speaks no SFTP, or none that is safe.`;
  return wordsOf(error, host);
}

const [GONE, DENIED, FAILURE] = [2, 3, 4];
const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

/** Status codes of SFTP concern one file; all other errors concern the connection. */
function readError(error: unknown): UnreadFile | OutsideError {
  const why = `could not be read: ${statusWords(error)}`;
  const isOfFile = [GONE, DENIED, FAILURE].some((code) => code === codeOf(error));
  return isOfFile
    ? new UnreadFile(`It ${why}`, { cause: error })
    : new OutsideError(`a file ${why}`, { cause: error });
}

/** What a status code of SFTP means, for people. */
function statusWords(error: unknown): string {
  const code = codeOf(error);
  if (code === GONE) return 'there is no such folder or file.';
  if (code === DENIED) return 'this user may not.';
  if (code === FAILURE) return 'the server says no more than that it failed.';
  return 'the connection ended.';
}
