import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

export interface LineServer {
  /** As the command line has it. */
  port: string;
  stop(): Promise<void>;
}

/** A converter of serial lines to TCP; `serve` gets each connection, and errors of connections are nobody's. */
export async function serveLine(serve: (socket: Socket) => void): Promise<LineServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    serve(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: String((server.address() as { port: number }).port),
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
