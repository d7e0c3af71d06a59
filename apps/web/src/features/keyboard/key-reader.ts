import type { Command } from '../../app/feature.ts';

/** How long one waits at most between two keys that belong together, ms. */
const TOGETHER_MS = 1200;

/** Reads keys one by one and finds the command that they make together. */
export class KeyReader {
  readonly #commands: () => readonly Pick<Command, 'keys' | 'run'>[];
  #pressed: string[] = [];
  #lastAt = 0;

  constructor(commands: () => readonly Pick<Command, 'keys' | 'run'>[]) {
    this.#commands = commands;
  }

  /** The command of this key and those before it; undefined while one may come, null where there is none. */
  read(key: string, at: number): Pick<Command, 'keys' | 'run'> | undefined | null {
    const before = at - this.#lastAt > TOGETHER_MS ? [] : this.#pressed;
    this.#lastAt = at;
    for (const pressed of [[...before, key], [key]]) {
      const text = pressed.join(' ');
      const all = this.#commands().filter(({ keys }) => keys !== undefined);
      const found = all.find(({ keys }) => keys === text);
      const isBegun = all.some(({ keys }) => keys?.startsWith(`${text} `));
      this.#pressed = isBegun && !found ? pressed : [];
      if (found) return found;
      if (isBegun) return undefined;
    }
    return null;
  }
}
