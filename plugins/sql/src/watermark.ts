import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

interface Kept {
  /** The highest one that was read, as the database writes it. */
  watermark: string | null;
  /** Rows that have it: others may come later with the same one. */
  seen: string[];
}

/** How far a table has been read. It survives the process; a file that is damaged counts as none. */
export class Watermark {
  readonly #path: string | null;
  #kept: Kept;

  /** Without a path nothing is kept. */
  constructor(path: string | null, start: string | null) {
    this.#path = path;
    this.#kept = readKept(path) ?? { watermark: start, seen: [] };
  }

  get value(): string | null {
    return this.#kept.watermark;
  }

  /** True for a row that was not read yet; remembers it. Rows come in the order of their watermarks. */
  isNew(watermark: string, row: readonly unknown[]): boolean {
    const print = createHash('sha256').update(JSON.stringify(row, digits)).digest('base64').slice(0, 22);
    if (watermark !== this.#kept.watermark) this.#kept = { watermark, seen: [] };
    else if (this.#kept.seen.includes(print)) return false;
    this.#kept.seen.push(print);
    return true;
  }

  save(): void {
    if (this.#path === null) return;
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(`${this.#path}.new`, JSON.stringify(this.#kept));
    renameSync(`${this.#path}.new`, this.#path);
  }
}

const digits = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

function readKept(path: string | null): Kept | null {
  if (path === null) return null;
  try {
    const { watermark, seen } = JSON.parse(readFileSync(path, 'utf8')) as Kept;
    return typeof watermark === 'string' && Array.isArray(seen) ? { watermark, seen } : null;
  } catch {
    // The first time there is none.
    return null;
  }
}
