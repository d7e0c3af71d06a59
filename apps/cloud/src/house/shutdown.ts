import type { Logger } from 'pino';

/** What was started, stopped in reverse. A part that fails to stop holds up nobody. */
export class Shutdown {
  readonly #log: Logger;
  readonly #steps: { name: string; stop: () => unknown }[] = [];
  #stopped: Promise<void> | null = null;

  constructor(log: Logger) {
    this.#log = log;
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
        await stop();
      } catch (err) {
        this.#log.error({ err, part: name }, 'a part did not stop well');
      }
    }
  }
}
