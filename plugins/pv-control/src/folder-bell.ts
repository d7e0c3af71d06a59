import { type FSWatcher, mkdirSync, watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Wakes who waits when something in folders changes. Where they cannot be watched, time alone does. */
export class FolderBell {
  #watchers: FSWatcher[] = [];
  #hasRung = false;
  #wake: () => void = () => {};

  /** Makes the folders that are missing. */
  start(folders: string[]): void {
    this.stop();
    for (const folder of folders) {
      try {
        mkdirSync(folder, { recursive: true });
        const watcher = watch(folder, { persistent: false }, () => {
          this.#hasRung = true;
          this.#wake();
        });
        watcher.on('error', () => watcher.close());
        this.#watchers.push(watcher);
      } catch {
        // The files are read now and then all the same.
      }
    }
  }

  stop(): void {
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers = [];
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
