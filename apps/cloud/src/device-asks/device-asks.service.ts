import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AskFailure,
  type AskInput,
  type AskKind,
  type AskResult,
  type AskTell,
  type DeviceAsk,
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
import { AppError } from '../errors/app-error.ts';

/** A device is given so much less than its answer is waited for, at most a fifth, to say itself that it took too long, ms. */
const GRACE_MS = 3000;
/** A device that has just connected says within this what it listens to, and how long between looks, ms. */
const LISTENS_WITHIN_MS = 3000;
const LISTENS_LOOK_MS = 100;

export interface AskOptions<K extends AskKind> {
  /** Ends it; the result is rejected with the reason of the signal. */
  signal?: AbortSignal;
  /** Instead of what the kind may take at most, ms. */
  limitMs?: number;
  /** No more bytes come until what this answers is resolved. The bytes are the listener's. */
  onBytes?: (bytes: Uint8Array) => void | Promise<void>;
  onTell?: (value: AskTell<K>) => void;
}

/** Something that a device was asked, while it is under way. */
export interface OpenAsk<K extends AskKind> {
  /**
   * Throws `device.offline`, `device.no_answer`, `device.lost`, `device.agent_old`, `device.refused`, `device.unable`,
   * `device.invalid`, `device.changed`, `device.busy` and `device.rubbish`.
   */
  readonly result: Promise<AskResult<K>>;
  /** Waits for room on the device. */
  write(bytes: Uint8Array): Promise<void>;
  /** No more bytes come. */
  end(): Promise<void>;
  tell(value: unknown): Promise<void>;
  /** Ends it on the device. */
  cancel(reason: Error): void;
}

export interface DeviceAsksOptions {
  isOnline: (device: string) => boolean;
  /** False when it is known to have gone nowhere. */
  send: (device: string, frame: Buffer) => Promise<boolean>;
}

/** Asks devices and hears what they answer, from any process. What a device says is checked before anybody sees it. */
export class DeviceAsks {
  readonly #options: DeviceAsksOptions;
  readonly #open = new Map<string, Exchange>();
  /** When those that are there came, by the clock of `performance`. */
  readonly #arrivedAt = new Map<string, number>();
  #alive: NodeJS.Timeout | null = null;

  constructor(options: DeviceAsksOptions) {
    this.#options = options;
  }

  start(): void {
    this.#alive = setInterval(() => {
      for (const one of this.#open.values()) one.sayAlive();
    }, FRAME_LIMITS.aliveMs);
  }

  stop(): void {
    if (this.#alive) clearInterval(this.#alive);
    for (const one of this.#open.values()) one.cancel(new AppError('device.lost'));
  }

  /** Number of exchanges under way. */
  get size(): number {
    return this.#open.size;
  }

  /** Begins one; a device that is not online answers so at once. */
  open<K extends AskKind>(
    device: string,
    kind: K,
    input: AskInput<K>,
    options: AskOptions<K> = {},
  ): OpenAsk<K> {
    const id = randomUUID();
    const exchange = new Exchange({
      id,
      device,
      listensBy: (this.#arrivedAt.get(device) ?? Number.NEGATIVE_INFINITY) + LISTENS_WITHIN_MS,
      ask: deviceAsks[kind],
      send: (header, bytes) => this.#options.send(device, bufferOf(encodeFrame(header, bytes))),
      onBytes: options.onBytes ?? (() => {}),
      onTell: (options.onTell ?? (() => {})) as (value: unknown) => void,
    });
    this.#open.set(id, exchange);
    const limitMs = options.limitMs ?? deviceAsks[kind].limitMs;
    const timer = setTimeout(
      () => exchange.cancel(new AppError('device.no_answer', { seconds: Math.round(limitMs / 1000) })),
      limitMs,
    );
    const abort = () => exchange.cancel(options.signal?.reason as Error);
    options.signal?.addEventListener('abort', abort, { once: true });
    const over = () => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', abort);
      this.#open.delete(id);
    };
    exchange.result.then(over, over);
    if (options.signal?.aborted) abort();
    else if (!this.#options.isOnline(device)) exchange.fail(new AppError('device.offline'));
    else
      exchange.begin({
        t: 'open',
        id,
        kind,
        input,
        limitMs: limitMs - Math.min(GRACE_MS, Math.floor(limitMs / 5)),
      });
    return exchange as OpenAsk<K>;
  }

  /** As `open`, for what only has an answer. */
  ask<K extends AskKind>(
    device: string,
    kind: K,
    input: AskInput<K>,
    options?: AskOptions<K>,
  ): Promise<AskResult<K>> {
    return this.open(device, kind, input, options).result;
  }

  /** Takes what a device said; false when no exchange of this process is meant. */
  receive(device: string, payload: Uint8Array): boolean {
    const frame = decodeFrame(payload);
    if (!frame) return true;
    const exchange = this.#open.get(frame.header.id);
    if (exchange?.device === device) exchange.receive(frame);
    return exchange !== undefined;
  }

  /** The device came: in a moment it listens. */
  arrived(device: string): void {
    this.#arrivedAt.set(device, performance.now());
  }

  /** The device went: it answers nothing any more. */
  left(device: string): void {
    this.#arrivedAt.delete(device);
    for (const one of this.#open.values()) if (one.device === device) one.fail(new AppError('device.lost'));
  }
}

interface ExchangeOptions {
  id: string;
  device: string;
  /** Until then it may not listen yet, by the clock of `performance`. */
  listensBy: number;
  ask: DeviceAsk;
  send: (header: FrameHeader, bytes?: Uint8Array) => Promise<boolean>;
  onBytes: (bytes: Uint8Array) => void | Promise<void>;
  onTell: (value: unknown) => void;
}

/** The cloud's end of one exchange. */
class Exchange implements OpenAsk<AskKind> {
  readonly device: string;
  readonly result: Promise<never>;
  readonly #options: ExchangeOptions;
  readonly #end: ExchangeEnd;
  readonly #answer = Promise.withResolvers<never>();
  /** Nothing goes to the device before what opens the exchange. */
  readonly #opened = Promise.withResolvers<void>();
  #isOpen = false;
  #isOver = false;
  /** Listeners get the bytes one after the other, and the result comes after the last of them. */
  #heard: Promise<void> = Promise.resolve();

  constructor(options: ExchangeOptions) {
    const { id, send } = options;
    this.#options = options;
    this.device = options.device;
    this.result = this.#answer.promise;
    this.result.catch(() => {});
    this.#end = new ExchangeEnd({
      id,
      send: async (header, bytes) => {
        await this.#opened.promise;
        return send(header, bytes);
      },
      onFrame: (header, bytes) => this.#take(header, bytes),
      onBroken: () => this.cancel(new AppError('device.rubbish')),
    });
  }

  begin(header: FrameHeader): void {
    this.#open(header).catch((error: Error) => this.fail(error));
  }

  async #open(header: FrameHeader): Promise<void> {
    while (!this.#isOver) {
      if (await this.#options.send(header)) {
        this.#isOpen = true;
        return this.#opened.resolve();
      }
      if (performance.now() >= this.#options.listensBy) return this.fail(new AppError('device.agent_old'));
      await sleep(LISTENS_LOOK_MS);
    }
  }

  receive(frame: Frame): void {
    const { header } = frame;
    if (header.t !== 'failed') this.#end.receive(frame);
    else
      void this.#heard.then(() => {
        const why = plain(header.message);
        this.fail(failureOf(header.error as AskFailure, header.step ? { why, step: header.step } : { why }));
      });
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#end.write(bytes);
  }

  end(): Promise<void> {
    return this.#end.say({ t: 'end' });
  }

  tell(value: unknown): Promise<void> {
    return this.#end.say({ t: 'tell', value });
  }

  cancel(reason: Error): void {
    void this.#options.send({ t: 'cancel', id: this.#options.id }).catch(() => {});
    this.fail(reason);
  }

  fail(error: Error): void {
    this.#isOver = true;
    this.#opened.resolve();
    this.#end.close();
    this.#answer.reject(error);
  }

  sayAlive(): void {
    // A device that hears of an exchange before it was opened says that it is over.
    if (!this.#isOpen) return;
    void this.#options.send({ t: 'alive', id: this.#options.id }).catch(() => {});
  }

  #take(header: FrameHeader, bytes: Uint8Array): void {
    const { ask, onBytes, onTell } = this.#options;
    if (header.t === 'data') {
      const own = bytes.slice();
      this.#inTurn(async () => {
        await onBytes(own);
        this.#end.taken(own.length);
      });
    } else if (header.t === 'tell') {
      const told = ask.tell?.safeParse(header.value);
      if (told?.success) this.#inTurn(() => onTell(told.data));
    } else if (header.t === 'done') {
      const result = ask.result.safeParse(header.result);
      this.#inTurn(() => {
        this.#end.close();
        if (result.success) this.#answer.resolve(result.data as never);
        else this.fail(new AppError('device.rubbish'));
      });
    }
  }

  /** What a listener throws ends the exchange. */
  #inTurn(task: () => void | Promise<void>): void {
    this.#heard = this.#heard.then(task).catch((error: Error) => this.cancel(error));
  }
}

/** `step` is what the device was at, for features that have a sentence of their own for it. */
function failureOf(error: AskFailure, facts: { why: string; step?: string }): AppError {
  switch (error) {
    case 'unknown':
      return new AppError('device.agent_old');
    case 'refused':
      return new AppError('device.refused', facts);
    case 'invalid':
      return new AppError('device.invalid', facts);
    case 'changed':
      return new AppError('device.changed', facts);
    case 'busy':
      return new AppError('device.busy');
    case 'gone':
      return new AppError('device.lost');
    default:
      return new AppError('device.unable', facts);
  }
}

/** One line without anything that a terminal or a log would take for a command. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 1000);

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
