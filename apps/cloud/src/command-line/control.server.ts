import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { AppError } from '../errors/app-error.ts';
import { CommandError, type Commands } from './command.ts';

/** Name of the socket in the data folder, which only the user of the server may enter. */
export const CONTROL_SOCKET = 'control.sock';

/** What a terminal sends: one line of JSON. */
export const controlRequest = z.object({ command: z.string(), args: z.array(z.string()) });

/** What it hears: lines for people, and at the end the exit code. */
export type ControlReply = { say: string } | { exit: number };

const LONGEST_REQUEST = 64 * 1024;

/**
 * Runs the commands of the features for terminals of this machine, over a socket in the data folder: whoever may enter
 * that may read every secret anyway. A command ends with its terminal.
 */
export class ControlServer {
  readonly #server: Server;
  readonly #log: Logger;
  readonly #open = new Set<Socket>();

  constructor(of: { commands: () => Commands; log: Logger }) {
    this.#log = of.log;
    this.#server = createServer((socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
      socket.on('error', () => {});
      void this.#serve(socket, of.commands());
    });
  }

  /** Without a socket the server runs all the same: a path may be too long for one. */
  async listen(dataDir: string): Promise<void> {
    const path = join(dataDir, CONTROL_SOCKET);
    rmSync(path, { force: true });
    await new Promise<void>((resolve) => {
      this.#server.once('error', (err) => {
        this.#log.warn({ err, path }, 'commands cannot reach this server');
        resolve();
      });
      this.#server.listen(path, resolve);
    });
    if (this.#server.listening) chmodSync(path, 0o600);
  }

  async stop(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    if (!this.#server.listening) return;
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(socket: Socket, commands: Commands): Promise<void> {
    const gone = new AbortController();
    socket.once('close', () => gone.abort());
    const reply = (one: ControlReply) => {
      if (socket.writable) socket.write(`${JSON.stringify(one)}\n`);
    };
    try {
      const { command, args } = controlRequest.parse(JSON.parse(await firstLine(socket)));
      const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
      if (!run) throw new CommandError(`This server has no command ${command}.`);
      this.#log.info({ command }, 'a command of this machine');
      reply({ exit: await run(args, (say) => reply({ say }), gone.signal) });
    } catch (err) {
      if (!(err instanceof CommandError || err instanceof AppError))
        this.#log.error({ err }, 'a command failed');
      reply({ say: (err as Error).message });
      reply({ exit: 1 });
    }
    socket.end();
  }
}

/** Read by hand: `readline` throws what goes wrong with a socket where nobody can catch it. */
async function firstLine(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8');
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk;
    const end = text.indexOf('\n');
    if (end >= 0) {
      // Else nobody would notice that the terminal is gone.
      socket.resume();
      return text.slice(0, end);
    }
    if (text.length > LONGEST_REQUEST) break;
  }
  socket.destroy();
  throw new CommandError('Nothing was asked.');
}
