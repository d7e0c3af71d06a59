import { Socket } from 'node:net';
import type { RemoteConfig } from '../config/config.schema.ts';
import { AskError } from '../link/ask-error.ts';
import type { AskHandlers } from './asks.ts';
import { reachable } from './tunnel-reach.ts';

const CONNECT_MS = 10_000;

/** A connection from here to a port of this machine or of its network, its bytes carried both ways. */
export const tunnelAsks = (allowed: () => RemoteConfig['tunnels']): Pick<AskHandlers, 'tunnel'> => ({
  tunnel: async ({ input: { host, port, never }, signal, incoming, write, tell }) => {
    const address = await reachable(host, port, { allowed: allowed(), never });
    signal.throwIfAborted();
    const socket = await connected(address, port, `${host}:${port}`);
    const end = () => socket.destroy();
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    socket.on('error', end);
    const sending = (async () => {
      for await (const chunk of incoming) {
        if (socket.destroyed) return;
        if (!socket.write(chunk)) await drained(socket);
      }
      socket.end();
    })();
    sending.catch(end);
    try {
      await tell({ isConnected: true });
      for await (const chunk of socket) await write(chunk as Buffer);
      return {};
    } finally {
      signal.removeEventListener('abort', end);
      end();
    }
  },
});

const drained = (socket: Socket) =>
  new Promise<void>((resolve) => {
    const go = () => {
      socket.off('drain', go).off('close', go);
      resolve();
    };
    socket.on('drain', go).on('close', go);
  });

function connected(address: string, port: number, name: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = new Socket({ allowHalfOpen: true });
    const fail = (why: string) => {
      socket.destroy();
      reject(new AskError('unable', `No connection to ${name}: ${why}`));
    };
    socket.setTimeout(CONNECT_MS, () => fail('no answer'));
    socket.once('error', (error) => fail(error.message));
    socket.connect(port, address, () => {
      socket.setTimeout(0);
      socket.setNoDelay(true);
      socket.removeAllListeners('error');
      socket.removeAllListeners('timeout');
      resolve(socket);
    });
  });
}
