import type { Logger } from 'pino';

/** A part that takes longer is left behind, ms; what agents were not told is stored they send again. */
const PATIENCE_MS = 8000;

/** What was started, stopped in reverse. A part that fails to stop, or never ends, holds up nobody. */
export class Shutdown {
  readonly #log: Logger;
  readonly #patienceMs: number;
  readonly #steps: { name: string; stop: () => unknown }[] = [];
  #stopped: Promise<void> | null = null;

  constructor(log: Logger, { patienceMs = PATIENCE_MS } = {}) {
    this.#log = log;
    this.#patienceMs = patienceMs;
  }

  add(name: string, stop: () => unknown): void {
    this.#steps.push({ name, stop });
  }

  /** Stops everything once, however often it is called. */
  run(): Promise<void> {
    this.#stopped ??= this.#run();
    return this.#stopped;
  }

  async #run(): Promise<void> {
    for (const { name, stop } of this.#steps.reverse()) {
      try {
        await inTime(stop(), this.#patienceMs);
      } catch (err) {
        this.#log.error({ err, part: name }, 'a part did not stop well');
      }
    }
  }
}

async function inTime(stopping: unknown, patienceMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not end within ${patienceMs} ms`)), patienceMs);
  });
  await Promise.race([stopping, late]).finally(() => clearTimeout(timer));
}
