import type { Server } from 'socket.io';

type Handler = (message: never) => void;

/**
 * Messages from one cloud process to the others, by topic. With one process there is nobody to tell, so a sender does
 * its own part itself and then tells the bus.
 */
export class Bus {
  readonly #handlers = new Map<string, Handler>();
  #io: Server | null = null;

  /** Gives the bus its transport; without one it tells nobody. */
  connect(io: Server): void {
    this.#io = io;
    io.on('bus', (topic: string, message: unknown) => this.#handlers.get(topic)?.(message as never));
  }

  on<Message>(topic: string, handler: (message: Message) => void): void {
    this.#handlers.set(topic, handler as Handler);
  }

  send(topic: string, message: unknown): void {
    this.#io?.serverSideEmit('bus', topic, message);
  }

  /** True when there may be other processes. */
  get isShared(): boolean {
    return this.#io !== null;
  }
}
