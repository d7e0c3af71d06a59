import { Duplex } from 'node:stream';
import type { AskInput } from '@albedo/contract/link/link.asks';
import type { DeviceAsks, OpenAsk } from '../device-asks/device-asks.service.ts';
import { AppError } from '../errors/app-error.ts';

/** A connection of a device, as a stream: what is not read waits on the device, and what it has not taken waits here. */
export class TunnelStream extends Duplex {
  /** Resolves when the device is connected; rejects with what it refuses with. */
  readonly connected: Promise<void>;
  /** Bytes to the device, and from it. */
  down = 0;
  up = 0;
  readonly #ask: OpenAsk<'tunnel'>;
  #isOver = false;
  #more: () => void = () => {};

  constructor(deviceAsks: DeviceAsks, device: string, input: AskInput<'tunnel'>, limitMs: number) {
    // What the device ended takes nothing any more.
    super({ allowHalfOpen: false });
    const connected = Promise.withResolvers<void>();
    this.connected = connected.promise;
    this.connected.catch(() => {});
    this.#ask = deviceAsks.open(device, 'tunnel', input, {
      limitMs,
      onTell: () => connected.resolve(),
      onBytes: async (bytes) => {
        this.up += bytes.length;
        if (this.destroyed || this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))) return;
        await new Promise<void>((resolve) => {
          this.#more = resolve;
        });
      },
    });
    this.#ask.result.then(
      () => {
        this.#isOver = true;
        connected.resolve();
        this.push(null);
      },
      (error: Error) => {
        this.#isOver = true;
        connected.reject(error);
        this.destroy(error);
      },
    );
  }

  override _read(): void {
    this.#more();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.down += chunk.length;
    if (this.#isOver) done();
    else
      this.#ask.write(chunk).then(
        () => done(),
        (error: Error) => done(this.#isOver ? null : error),
      );
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.#isOver) done();
    else
      this.#ask.end().then(
        () => done(),
        () => done(),
      );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.#isOver) this.#ask.cancel(error ?? new AppError('device.lost'));
    this.#more();
    done(error);
  }
}
