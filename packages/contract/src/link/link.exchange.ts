import { FRAME_LIMITS, type Frame, type FrameHeader } from './link.frames.ts';

/** A frame that has its turn: one with a number. */
type InTurn = Extract<FrameHeader, { n: number }>;
type Unnumbered<T> = T extends { n: number } ? Omit<T, 'n' | 'id'> : never;

export interface ExchangeEndOptions {
  id: string;
  /** False when it went nowhere. */
  send: (header: FrameHeader, bytes?: Uint8Array) => boolean | Promise<boolean>;
  /** Frames in their order, each once; bytes that were dealt with are `taken`. */
  onFrame: (header: InTurn, bytes: Uint8Array) => void;
  /** The other end does not keep to the rules; nothing is heard any more. */
  onBroken: (why: string) => void;
}

/** One end of an exchange, the same for cloud and device: order, room, and nothing twice. */
export class ExchangeEnd {
  readonly #options: ExchangeEndOptions;
  readonly #early = new Map<number, { header: InTurn; bytes: Uint8Array }>();
  #nextOut = 1;
  #nextIn = 1;
  /** Bytes that this end has sent and may send, and has got and let come, in all. */
  #sent = 0;
  #maySend: number = FRAME_LIMITS.windowBytes;
  #got = 0;
  #taken = 0;
  #mayCome: number = FRAME_LIMITS.windowBytes;
  #room = Promise.withResolvers<void>();
  #isClosed = false;

  constructor(options: ExchangeEndOptions) {
    this.#options = options;
    this.#room.promise.catch(() => {});
  }

  /** Resolves when all of it is on its way; waits while the other end has no room. Rejects once closed. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      while (this.#sent >= this.#maySend) await this.#room.promise;
      if (this.#isClosed) throw new Error('the exchange is over');
      const length = Math.min(FRAME_LIMITS.chunkBytes, bytes.length - at, this.#maySend - this.#sent);
      const chunk = bytes.slice(at, at + length);
      this.#sent += length;
      at += length;
      await this.say({ t: 'data' }, chunk);
    }
  }

  /** Sends what has its turn. */
  async say(header: Unnumbered<FrameHeader>, bytes?: Uint8Array): Promise<void> {
    if (this.#isClosed) return;
    const n = this.#nextOut++;
    await this.#options.send({ ...header, id: this.#options.id, n } as FrameHeader, bytes);
  }

  /** So many of the bytes that came were dealt with: as many more may come. */
  taken(bytes: number): void {
    this.#taken += bytes;
    const mayCome = this.#taken + FRAME_LIMITS.windowBytes;
    if (this.#isClosed || mayCome - this.#mayCome < FRAME_LIMITS.windowBytes / 4) return;
    this.#mayCome = mayCome;
    void this.#options.send({ t: 'credit', id: this.#options.id, bytes: mayCome });
  }

  receive({ header, bytes }: Frame): void {
    if (this.#isClosed) return;
    if (header.t === 'credit') {
      // Only ever more, and never more than a window ahead of what was sent.
      this.#maySend = Math.max(this.#maySend, Math.min(header.bytes, this.#sent + FRAME_LIMITS.windowBytes));
      this.#letGo();
    } else if ('n' in header) this.#inTurn(header, bytes);
  }

  /** Nothing is sent or heard any more. */
  close(): void {
    this.#isClosed = true;
    this.#early.clear();
    this.#room.reject(new Error('the exchange is over'));
  }

  #letGo(): void {
    this.#room.resolve();
    this.#room = Promise.withResolvers<void>();
    this.#room.promise.catch(() => {});
  }

  #inTurn(header: InTurn, bytes: Uint8Array): void {
    if (header.n < this.#nextIn || this.#early.has(header.n)) return;
    if (header.n > this.#nextIn + FRAME_LIMITS.early) {
      this.#broken('frames are missing');
      return;
    }
    // The message is somebody else's once this returns.
    if (header.n > this.#nextIn) {
      this.#early.set(header.n, { header, bytes: bytes.slice() });
      return;
    }
    this.#take(header, bytes);
    for (let next = this.#early.get(this.#nextIn); next; next = this.#early.get(this.#nextIn)) {
      this.#early.delete(this.#nextIn);
      this.#take(next.header, next.bytes);
    }
  }

  #take(header: InTurn, bytes: Uint8Array): void {
    if (this.#isClosed) return;
    this.#nextIn++;
    this.#got += bytes.length;
    if (this.#got > this.#mayCome) this.#broken('more bytes came than there was room for');
    else this.#options.onFrame(header, bytes);
  }

  #broken(why: string): void {
    this.close();
    this.#options.onBroken(why);
  }
}
