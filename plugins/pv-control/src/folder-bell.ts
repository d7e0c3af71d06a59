import { type FSWatcher, mkdirSync, watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Wakes who waits when something in a folder changes. Where that cannot be watched, time alone does. */
export class FolderBell {
  #watcher: FSWatcher | null = null;
  #hasRung = false;
  #wake: () => void = () => {};

  start(folder: string): void {
    try {
      mkdirSync(folder, { recursive: true });
      this.#watcher = watch(folder, { recursive: true, persistent: false }, () => {
        this.#hasRung = true;
        this.#wake();
      });
      this.#watcher.on('error', () => this.stop());
    } catch {
      // The files are read now and then all the same.
    }
  }

  stop(): void {
    this.#watcher?.close();
    this.#watcher = null;
  }

  /** True when something has changed since the last wait, be it before or meanwhile. */
  async wait(ms: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#hasRung) {
      const over = new AbortController();
      const rung = new Promise<void>((wake) => {
        this.#wake = wake;
      });
      const either = AbortSignal.any([signal, over.signal]);
      await Promise.race([rung, sleep(ms, undefined, { signal: either }).catch(() => {})]);
      over.abort();
    }
    const hasRung = this.#hasRung;
    this.#hasRung = false;
    return hasRung;
  }
}
