import type { Socket } from 'socket.io';

/** Packets that may wait for a slow reader before samples are held back. */
const BACKLOG = 32;

/**
 * Sends samples to one socket at the rate it reads: while too much waits, only the newest sample of each key is kept;
 * it goes out as soon as the reader has caught up. So a slow reader misses values between, and never the last one.
 */
export class Outlet {
  readonly #socket: Socket;
  readonly #held = new Map<string, () => void>();

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.conn.on('drain', () => this.#flush());
  }

  offer(key: string, send: () => void): void {
    if (this.#backlog() < BACKLOG && this.#held.size === 0) send();
    else {
      // Deleted first, so that the order of the keys stays the order of arrival.
      this.#held.delete(key);
      this.#held.set(key, send);
      if (this.#backlog() === 0) this.#flush();
    }
  }

  #flush(): void {
    for (const [key, send] of this.#held) {
      if (this.#backlog() >= BACKLOG) return;
      this.#held.delete(key);
      send();
    }
  }

  #backlog(): number {
    return (this.#socket.conn as unknown as { writeBuffer: unknown[] }).writeBuffer.length;
  }
}
