import { Socket } from 'node:net';
import { AskError, type AskHandlers } from './asks.ts';

const CONNECT_MS = 10_000;

/** A connection from here to a port of this machine or of its network, its bytes carried both ways. */
export const tunnelAsks: Pick<AskHandlers, 'tunnel'> = {
  tunnel: async ({ input: { host, port }, signal, incoming, write }) => {
    const socket = await connected(host, port);
    const end = () => socket.destroy();
    signal.addEventListener('abort', end, { once: true });
    socket.on('error', end);
    const sending = (async () => {
      for await (const chunk of incoming) {
        if (socket.destroyed) return;
        if (!socket.write(chunk))
          await new Promise<void>((go) => socket.once('drain', go).once('close', () => go()));
      }
      socket.end();
    })();
    try {
      for await (const chunk of socket) await write(chunk as Buffer);
      return {};
    } finally {
      signal.removeEventListener('abort', end);
      end();
      sending.catch(() => {});
    }
  },
};

function connected(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = new Socket({ allowHalfOpen: true });
    const fail = (why: string) => {
      socket.destroy();
      reject(new AskError('unable', `No connection to ${host}:${port}: ${why}`));
    };
    socket.setTimeout(CONNECT_MS, () => fail('no answer'));
    socket.once('error', (error) => fail(error.message));
    socket.connect(port, host, () => {
      socket.setTimeout(0);
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });
}
