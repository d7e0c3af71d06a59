import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { AppError } from '../errors/app-error.ts';

/** The name of what was found; null where nothing was. Throws `file.not_scanned` when nobody looked. */
export type ScanFile = (bytes: Readable) => Promise<string | null>;

/** A scanner that does not answer for so long is away. */
const SILENCE_MS = 60_000;

/** Asks the daemon of ClamAV at `tcp://host:port` or `unix:/path`, which gets the bytes as they are (INSTREAM). */
export function clamdScanner(address: string): ScanFile {
  return async (bytes) => {
    const socket = opened(address);
    socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error('the scanner is silent')));
    try {
      const answer = text(socket);
      answer.catch(() => {});
      await once(socket, 'connect');
      socket.write('zINSTREAM\0');
      for await (const chunk of bytes as AsyncIterable<Buffer>) {
        // It hangs up on files that are larger than it was told to take.
        if (!socket.writable) break;
        const length = Buffer.alloc(4);
        length.writeUInt32BE(chunk.length);
        socket.write(length);
        if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), answer]);
      }
      if (socket.writable) socket.write(Buffer.alloc(4));
      return found(await answer);
    } catch {
      throw new AppError('file.not_scanned');
    } finally {
      bytes.destroy();
      socket.destroy();
    }
  };
}

const opened = (address: string): Socket => {
  if (address.startsWith('unix:')) return connect(address.slice('unix:'.length));
  const { hostname, port } = new URL(address);
  return connect(Number(port), hostname.replace(/^\[|\]$/g, ''));
};

function found(answer: string): string | null {
  const [, name = null] = /^stream: (.{1,200}) FOUND\0?$/.exec(answer.trim()) ?? [];
  if (name === null && !/^stream: OK\0?$/.test(answer.trim())) throw new Error(answer);
  return name;
}
