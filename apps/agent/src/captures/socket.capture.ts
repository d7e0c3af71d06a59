import { mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { LINK_LIMITS } from '@albedo/contract/link/link.messages';
import type { SocketScenario } from '../config/config.schema.ts';
import { messageOf } from '../log.ts';
import type { CaptureFault } from '../outbox/faults.ts';
import type { Capture } from '../outbox/outbox.events.ts';
import type { RunningCapture, Sink } from '../outbox/sink.ts';
import { rubbish, StaticLines, withoutColours } from './lines.ts';

const RESUME_MS = 500;
const MAX_CONNECTIONS = 100;

/**
 * A Unix socket of the agent's into which programs write records, each ended by a newline. While the outbox has no
 * room nothing is read, so a writer waits.
 */
export class SocketCapture implements RunningCapture {
  readonly #path: string;
  readonly #lines: StaticLines;
  readonly #sink: Sink;
  readonly #connections = new Set<Socket>();
  #server: Server | null = null;

  constructor(scenario: SocketScenario, path: string, sink: Sink, report: (fault: CaptureFault) => void) {
    this.#path = path;
    this.#sink = sink;
    this.#lines = new StaticLines(scenario, 'unix_socket', report);
  }

  start(): void {
    try {
      mkdirSync(dirname(this.#path), { recursive: true });
      rmSync(this.#path, { force: true });
    } catch (error) {
      this.#lines.fault(`the socket ${this.#path} cannot be made: ${messageOf(error)}`, '');
      return;
    }
    this.#server = createServer((socket) => this.#serve(socket));
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.on('error', (error) => this.#lines.fault(`the socket ${this.#path}: ${error.message}`, ''));
    this.#server.listen(this.#path);
  }

  stop(): void {
    this.#server?.close();
    for (const socket of this.#connections) socket.destroy();
    this.#connections.clear();
    this.#server = null;
  }

  #serve(socket: Socket): void {
    this.#connections.add(socket);
    let rest: Buffer = Buffer.alloc(0);
    let skipping = false;
    socket.on('data', (chunk: Buffer) => {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      let from = 0;
      if (skipping) {
        from = bytes.indexOf(10) + 1;
        if (from === 0) return;
        skipping = false;
      }
      const end = bytes.lastIndexOf(10);
      if (end >= from) this.#read(bytes.subarray(from, end));
      rest = Buffer.from(bytes.subarray(Math.max(end + 1, from)));
      if (rest.length > LINK_LIMITS.messageBytes) {
        const captures: Capture[] = [];
        const reason = `the line is longer than ${LINK_LIMITS.messageBytes} bytes`;
        this.#lines.fault(`a record is longer than ${LINK_LIMITS.messageBytes} bytes and is left out`, '');
        this.#lines.unread(reason, rest, Date.now(), captures);
        this.#sink.append({ captures });
        rest = Buffer.alloc(0);
        skipping = true;
      }
      if (!this.#sink.hasRoom('live')) this.#wait(socket);
    });
    socket.on('error', (error) => this.#lines.fault(`a writer broke off: ${error.message}`, ''));
    socket.on('close', () => {
      this.#connections.delete(socket);
      if (rest.length > 0) {
        this.#lines.fault('a writer left in the middle of a record', rest.subarray(0, 200).toString());
      }
    });
  }

  #wait(socket: Socket): void {
    socket.pause();
    const timer = setInterval(() => {
      if (!socket.destroyed && !this.#sink.hasRoom('live')) return;
      clearInterval(timer);
      socket.resume();
    }, RESUME_MS);
  }

  #read(bytes: Buffer): void {
    const captures: Capture[] = [];
    const arrivedAt = Date.now();
    for (const line of bytes.toString('utf8').split('\n')) {
      const text = withoutColours(line.endsWith('\r') ? line.slice(0, -1) : line);
      if (text === '') continue;
      const reason = rubbish(text);
      if (reason) {
        this.#lines.fault(reason, Buffer.from(text).subarray(0, 100).toString('hex'));
        this.#lines.unread(reason, Buffer.from(text), arrivedAt, captures);
      } else this.#lines.line(text, arrivedAt, captures);
    }
    if (captures.length > 0) this.#sink.append({ captures });
  }
}
