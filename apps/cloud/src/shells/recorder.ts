import type { RecordedPart } from './shells.store.ts';

/** What is on the screen waits this long to be written, ms, and at most so much of it, bytes. */
const COLLECT_MS = 500;
const COLLECT_BYTES = 256 * 1024;
/** What one recording takes, bytes: an hour of a busy screen. */
const LIMIT_BYTES = 50 * 1024 * 1024;

/** Keeps what is on the screen of a shell, in parts and in order. */
export class Recorder {
  readonly #keep: (parts: RecordedPart[], bytes: number) => Promise<void>;
  readonly #onFailed: (error: Error) => void;
  readonly #beganAt = performance.now();
  #waiting: RecordedPart[] = [];
  #waitingBytes = 0;
  #bytes = 0;
  #number = 0;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(of: {
    keep: (parts: RecordedPart[], bytes: number) => Promise<void>;
    /** Told once: nothing can be kept any more. */
    onFailed: (error: Error) => void;
  }) {
    this.#keep = of.keep;
    this.#onFailed = of.onFailed;
  }

  output(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#waitingBytes += bytes.length;
    this.#add({ output: Buffer.from(bytes).toString('base64'), cols: null, rows: null });
    if (this.#bytes > LIMIT_BYTES) this.#onFailed(new Error('the recording is full'));
    else if (this.#waitingBytes > COLLECT_BYTES) void this.flush();
  }

  size(cols: number, rows: number): void {
    this.#add({ output: null, cols, rows });
  }

  /** Writes what waits; never rejects. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const parts = this.#waiting.splice(0);
    const bytes = this.#waitingBytes;
    this.#waitingBytes = 0;
    if (parts.length > 0) {
      this.#writing = this.#writing.then(() => this.#keep(parts, bytes)).catch(this.#onFailed);
    }
    return this.#writing;
  }

  #add(part: Pick<RecordedPart, 'output' | 'cols' | 'rows'>): void {
    this.#waiting.push({
      number: this.#number++,
      atMs: Math.round(performance.now() - this.#beganAt),
      ...part,
    });
    this.#timer ??= setTimeout(() => void this.flush(), COLLECT_MS);
  }
}
