import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Position } from './outbox.events.ts';

/** At the most this often, ms: each time costs one more write that reaches the disk. */
const EVERY_MS = 5000;

const position = z.object({
  inode: z.number(),
  offset: z.number().min(0),
  tail: z.string(),
  header: z.string().nullable(),
  skipping: z.boolean(),
  head: z.string(),
  headSize: z.number().min(0),
});
const settled = z.object({ at: z.number(), places: z.array(z.tuple([z.string(), position])) });
const file = z.object({ settled, hash: z.string() });

/** Places in files at `at` (epoch ms), when everything that was read before them was stored in the cloud. */
export type Settled = z.infer<typeof settled>;

/**
 * Keeps those places beside the outbox too. Where the outbox itself cannot be read any more, files are read on from there:
 * nothing that waited in it is lost, and what the cloud has is not sent a second time.
 */
export class SettledPlaces {
  readonly #path: string;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #written = '';

  constructor(directory: string) {
    this.#path = join(directory, 'outbox.places');
  }

  /** Null without a file, and with one that is damaged. */
  read(): Settled | null {
    try {
      const read = file.parse(JSON.parse(readFileSync(this.#path, 'utf8')));
      return read.hash === hashOf(read.settled) ? read.settled : null;
    } catch {
      return null;
    }
  }

  /** Notes them where enough time has passed, or at once where this is the last time. */
  note(places: () => [string, Position][], isLast: boolean): void {
    const now = performance.now();
    if (!isLast && now - this.#writtenAt < EVERY_MS) return;
    this.#writtenAt = now;
    const found = places();
    const text = JSON.stringify(found);
    if (text === this.#written) return;
    const kept = settled.parse({ at: Date.now(), places: found });
    const fresh = `${this.#path}.new`;
    try {
      writeFileSync(fresh, JSON.stringify({ settled: kept, hash: hashOf(kept) }), { flush: true });
      renameSync(fresh, this.#path);
      this.#written = text;
    } catch {
      // A full disk: the places from before stay good, files would be read again from there.
      rmSync(fresh, { force: true });
    }
  }
}

const hashOf = (places: Settled): string => createHash('sha256').update(JSON.stringify(places)).digest('hex');
