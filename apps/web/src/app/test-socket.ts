import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SOCKET_PATH } from '@albedo/contract/sockets/action';
import { Server } from 'socket.io';
import { vi } from 'vitest';

/**
 * A server for the socket of the page, which has no browser around it: it is where `location` says, and what is kept is
 * kept in memory. `vi.unstubAllGlobals` ends that.
 */
export async function startSocketServer(): Promise<Server> {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  vi.stubGlobal('location', { protocol: 'http:', host: `127.0.0.1:${port}`, hostname: '127.0.0.1', port });
  return new Server(http, { path: SOCKET_PATH, transports: ['websocket'], serveClient: false });
}
