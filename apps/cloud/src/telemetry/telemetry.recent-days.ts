import type { KeptDays } from './telemetry.days.ts';

/** Bytes of kept days that are held at most. */
const MOST = 64_000_000;
/** What nobody asked for so long is let go, ms. */
const FRESH_MS = 600_000;

interface Held {
  stamp: string;
  kept: KeptDays;
  usedAt: number;
}

/**
 * Kept days that were read lately, for the next answer of the same question. Each has the parts of the engine that it was
 * read from as its stamp: parts are never changed, so the same parts hold the same days.
 */
export class RecentDays {
  /** By the question, the one that was used last at the end. */
  readonly #held = new Map<string, Held>();

  find(question: string, stamp: string): KeptDays | null {
    const held = this.#held.get(question);
    if (!held) return null;
    this.#held.delete(question);
    if (held.stamp !== stamp) return null;
    this.#held.set(question, { ...held, usedAt: Date.now() });
    return held.kept;
  }

  hold(question: string, stamp: string, kept: KeptDays): void {
    this.#held.delete(question);
    this.#held.set(question, { stamp, kept, usedAt: Date.now() });
    let bytes = [...this.#held.values()].reduce((sum, one) => sum + bytesOf(one.kept), 0);
    for (const [name, one] of this.#held) {
      if (bytes <= MOST && Date.now() - one.usedAt <= FRESH_MS) break;
      this.#held.delete(name);
      bytes -= bytesOf(one.kept);
    }
  }
}

const bytesOf = ({ rows, made, columns }: KeptDays): number =>
  Object.values(columns).reduce((sum, list) => sum + list.byteLength, rows.byteLength + made.byteLength);
