import type { IncomingMessage, Server } from 'node:http';

/** How long the body of a request takes at most, ms; that of a form as long as browsers wait for its answer. */
export const BODY_MS = { plain: 60_000, form: 300_000 } as const;

/**
 * Ends requests to the app whose body does not arrive. The limit of the server itself (`requestTimeout`) would hold for
 * the pages of machines too, and cut their uploads off.
 */
export function boundBodies(server: Server, limits: { plain: number; form: number } = BODY_MS): void {
  server.on('request', (asked: IncomingMessage) => {
    const { headers } = asked;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
    const isForm = headers['content-type']?.startsWith('multipart/form-data') ?? false;
    const late = () => {
      if (asked.complete) return;
      const { socket } = asked;
      socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () =>
        socket.destroy(),
      );
    };
    const timer = setTimeout(late, isForm ? limits.form : limits.plain);
    asked.once('close', () => clearTimeout(timer));
  });
}
