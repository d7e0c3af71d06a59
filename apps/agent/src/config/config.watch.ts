import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DirectoryWatch } from '../changes/directory-watch.ts';

const POLL_MS = 5000;
/** An editor gets so long to finish, ms. */
const SETTLE_MS = 300;

/** Reports when the configuration file was changed or replaced. */
export class ConfigWatch {
  readonly #file: string;
  readonly #onChange: () => void;
  readonly #watch = new DirectoryWatch();
  #stamp = '';
  #poll: NodeJS.Timeout | null = null;
  #settle: NodeJS.Timeout | null = null;

  constructor(file: string, onChange: () => void) {
    this.#file = file;
    this.#onChange = onChange;
  }

  start(): void {
    this.#stamp = this.#look();
    this.#watch.add(dirname(this.#file), (name) => {
      if (name === null || name === basename(this.#file)) this.#soon();
    });
    this.#poll = setInterval(() => this.#soon(), POLL_MS);
  }

  stop(): void {
    if (this.#poll) clearInterval(this.#poll);
    if (this.#settle) clearTimeout(this.#settle);
    this.#watch.close();
  }

  #soon(): void {
    this.#settle ??= setTimeout(() => {
      this.#settle = null;
      const stamp = this.#look();
      if (stamp === this.#stamp) return;
      this.#stamp = stamp;
      this.#onChange();
    }, SETTLE_MS);
  }

  #look(): string {
    try {
      const { ino, size, mtimeMs } = statSync(this.#file);
      return `${ino} ${size} ${mtimeMs}`;
    } catch {
      // Missing for a moment while an editor replaces it, or for good: reading it will say so.
      return 'missing';
    }
  }
}
