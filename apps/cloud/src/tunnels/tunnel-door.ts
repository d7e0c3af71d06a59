import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { TUNNEL_PROTOCOL } from '@albedo/contract/tunnels/tunnels.schema';
import { AppError } from '../errors/app-error.ts';
import { joined, type RemoteWeb } from './remote-web.ts';
import type { Tunnels } from './tunnels.service.ts';

/**
 * What comes to the server and is not for the app: pages of machines, known by their host names, and connections that
 * programs have taken over by the name of the protocol.
 */
export class TunnelDoor {
  readonly #tunnels: Tunnels;
  readonly #web: RemoteWeb | null;

  constructor(tunnels: Tunnels, web: RemoteWeb | null) {
    this.#tunnels = tunnels;
    this.#web = web;
  }

  /** Stands before everybody who listens to the server by now. */
  attach(server: Server): void {
    const [requests, upgrades] = [server.listeners('request'), server.listeners('upgrade')];
    server.removeAllListeners('request').removeAllListeners('upgrade');
    server.on('request', (asked: IncomingMessage, reply: ServerResponse) => {
      const label = this.#web?.labelOf(asked);
      if (label) void this.#web?.serve(label, asked, reply);
      else for (const listener of requests) listener.call(server, asked, reply);
    });
    server.on('upgrade', (asked: IncomingMessage, socket: Duplex, head: Buffer) => {
      const label = this.#web?.labelOf(asked);
      if (label) void this.#web?.upgrade(label, asked, socket, head);
      else if (asked.headers.upgrade === TUNNEL_PROTOCOL) void this.#take(asked, socket, head);
      else for (const listener of upgrades) listener.call(server, asked, socket, head);
    });
  }

  /** One connection of a program; one that comes with OPTIONS asks only whether its token holds. */
  async #take(asked: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    try {
      const [, token = ''] = /^Bearer (.+)$/.exec(asked.headers.authorization ?? '') ?? [];
      const tunnel = await this.#tunnels.ofToken(token);
      if (asked.method === 'OPTIONS') {
        await this.#tunnels.endIfOver(tunnel);
        socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n');
        return;
      }
      const stream = await this.#tunnels.connect(tunnel);
      if (socket.destroyed) {
        stream.destroy();
        return;
      }
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: ${TUNNEL_PROTOCOL}\r\n\r\n`,
      );
      if (head.length > 0) socket.unshift(head);
      joined(socket, stream);
    } catch (error) {
      const known = error instanceof AppError ? error : new AppError('server.failed');
      const body = JSON.stringify(known.body);
      socket.end(
        `HTTP/1.1 ${known.status} Refused\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    }
  }
}
