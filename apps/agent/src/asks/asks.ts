import {
  type AskFailure,
  type AskInput,
  type AskKind,
  type AskResult,
  deviceAsks,
} from '@albedo/contract/link/link.asks';
import { ExchangeEnd } from '@albedo/contract/link/link.exchange';
import {
  decodeFrame,
  encodeFrame,
  FRAME_LIMITS,
  type Frame,
  type FrameHeader,
} from '@albedo/contract/link/link.frames';
import type { z } from 'zod';
import { AskError } from '../link/ask-error.ts';
import { codeOf, type Log, messageOf } from '../log.ts';
import { plainFailure } from './plain-failure.ts';

/** Exchanges that one device has open at most. */
const MAX_OPEN = 64;
const SWEEP_MS = 5000;
/** With more than this unsent, what was asked for waits, so that measurements do not, bytes. */
const BACKLOG = 256 * 1024;
const BACKLOG_WAIT_MS = 10;
const UNKNOWN: [AskFailure, string] = [
  'unknown',
  'The agent of this device does not know this yet. Upgrade it.',
];

/** One thing that was asked, while it is under way. */
export interface Asked<K extends AskKind = AskKind> {
  readonly input: AskInput<K>;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
  /** Bytes from the cloud, until it says that no more come. */
  readonly incoming: AsyncIterable<Uint8Array>;
  /** Waits for room at the other end, and for measurements. */
  write(bytes: Uint8Array): Promise<void>;
  tell(value: unknown): Promise<void>;
  onTell(hear: (value: unknown) => void): void;
}

export type AskHandlers = { [K in AskKind]: (asked: Asked<K>) => Promise<AskResult<K>> };

export interface AsksOptions {
  handlers: AskHandlers;
  /** Throws AskError for what the configuration of this device does not allow. */
  demand: (kind: AskKind) => void;
  /** False when there is no connection. */
  publish: (frame: Buffer) => boolean;
  backlogBytes: () => number;
  log: Log;
}

/** Answers what the cloud asks: each exchange runs by itself, and ends with the connection. */
export class Asks {
  readonly #options: AsksOptions;
  readonly #open = new Map<string, Exchange>();
  #sweep: NodeJS.Timeout | null = null;

  constructor(options: AsksOptions) {
    this.#options = options;
  }

  start(): void {
    this.#sweep = setInterval(() => {
      const oldest = performance.now() - FRAME_LIMITS.silenceMs;
      for (const one of this.#open.values()) if (one.heardAt < oldest) one.end('the cloud is silent');
    }, SWEEP_MS);
  }

  /** Nobody can hear the answers any more. */
  offline(): void {
    for (const one of this.#open.values()) one.end('the connection was lost');
  }

  stop(): void {
    if (this.#sweep) clearInterval(this.#sweep);
    this.offline();
  }

  receive(payload: Buffer): void {
    const frame = decodeFrame(payload);
    if (!frame) {
      this.#options.log.warn('link: a frame of an exchange cannot be read');
      return;
    }
    const { header } = frame;
    const known = this.#open.get(header.id);
    if (header.t === 'open') {
      if (!known) this.#begin(header);
    } else if (known) known.receive(frame);
    else if (header.t !== 'cancel' && header.t !== 'credit')
      this.#fail(header.id, 'gone', 'It is over on the device.');
  }

  #begin({ id, kind, input, limitMs }: Extract<FrameHeader, { t: 'open' }>): void {
    const { handlers, demand, log } = this.#options;
    const handler = Object.hasOwn(handlers, kind) ? handlers[kind as AskKind] : undefined;
    const parsed = handler && deviceAsks[kind as AskKind].input.safeParse(input);
    const refusal = this.#refusalOf(parsed);
    if (!handler || !parsed?.success || refusal) {
      this.#fail(id, ...(refusal ?? UNKNOWN));
      return;
    }
    const exchange = new Exchange(
      id,
      (header, bytes) => this.#send(header, bytes),
      this.#options.backlogBytes,
    );
    this.#open.set(id, exchange);
    const timer = setTimeout(() => exchange.end('it took too long'), limitMs);
    const run = async () => {
      try {
        demand(kind as AskKind);
        const asked = { ...exchange.asked, input: parsed.data } as Asked<never>;
        const result = await (handler as (asked: Asked<never>) => Promise<unknown>)(asked);
        await exchange.done(result);
      } catch (error) {
        if (exchange.asked.signal.aborted) log.debug(`asks: ${kind} ended: ${messageOf(error)}`);
        else this.#fail(id, ...failureOf(error));
      } finally {
        clearTimeout(timer);
        exchange.end('it is over');
        this.#open.delete(id);
      }
    };
    void run();
  }

  #refusalOf(parsed: ReturnType<z.ZodType['safeParse']> | undefined): [AskFailure, string] | null {
    if (!parsed) return UNKNOWN;
    if (this.#open.size >= MAX_OPEN) return ['busy', 'Too much is asked of this device at once.'];
    return parsed.success ? null : ['invalid', parsed.error.issues[0]?.message ?? 'It cannot be read.'];
  }

  #fail(id: string, error: AskFailure, message: string, step?: string): void {
    this.#send({ t: 'failed', id, error, message: message.slice(0, 2000), ...(step ? { step } : {}) });
  }

  #send(header: FrameHeader, bytes?: Uint8Array): boolean {
    const frame = encodeFrame(header, bytes);
    return this.#options.publish(Buffer.from(frame.buffer, frame.byteOffset, frame.length));
  }
}

function failureOf(error: unknown): [AskFailure, string, string?] {
  if (error instanceof AskError)
    return error.step ? [error.error, error.message, error.step] : [error.error, error.message];
  return [
    codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM' ? 'refused' : 'unable',
    plainFailure(error),
  ];
}

/** The device's end of one exchange. */
class Exchange {
  readonly #end: ExchangeEnd;
  readonly #stopping = new AbortController();
  readonly #queue: Uint8Array[] = [];
  #wake: () => void = () => {};
  #hasEnded = false;
  #hear: (value: unknown) => void = () => {};
  heardAt = performance.now();
  readonly asked: Omit<Asked, 'input'>;

  constructor(
    id: string,
    send: (header: FrameHeader, bytes?: Uint8Array) => boolean,
    backlogBytes: () => number,
  ) {
    this.#end = new ExchangeEnd({
      id,
      send,
      onFrame: (header, bytes) => this.#take(header, bytes),
      onBroken: (why) => this.end(why),
    });
    this.asked = {
      signal: this.#stopping.signal,
      incoming: this.#incoming(),
      write: async (bytes) => {
        while (backlogBytes() > BACKLOG && !this.#stopping.signal.aborted) await pause(BACKLOG_WAIT_MS);
        await this.#end.write(bytes);
      },
      tell: (value) => this.#end.say({ t: 'tell', value }),
      onTell: (hear) => {
        this.#hear = hear;
      },
    };
  }

  receive(frame: Frame): void {
    this.heardAt = performance.now();
    if (frame.header.t === 'cancel') this.end('it was cancelled');
    else this.#end.receive(frame);
  }

  done(result: unknown): Promise<void> {
    return this.#end.say({ t: 'done', result });
  }

  end(why: string): void {
    this.#end.close();
    this.#stopping.abort(new Error(why));
    this.#hasEnded = true;
    this.#wake();
  }

  #take(header: FrameHeader, bytes: Uint8Array): void {
    if (header.t === 'data') this.#queue.push(bytes.slice());
    else if (header.t === 'tell') this.#hear(header.value);
    else this.#hasEnded = true;
    this.#wake();
  }

  async *#incoming(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = this.#queue.shift();
      if (chunk) {
        yield chunk;
        this.#end.taken(chunk.length);
      } else if (this.#hasEnded) return;
      else {
        await new Promise<void>((wake) => {
          this.#wake = wake;
        });
      }
    }
  }
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
