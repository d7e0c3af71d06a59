import { closeSync } from 'node:fs';
import { basename } from 'node:path';
import type { Position } from '../outbox/outbox.events.ts';
import { type Generation, isWrittenSince, sawEmpty } from './generation.ts';
import { leftover } from './rotated.ts';
import { isTurned } from './rotation.ts';

/** What was written into a file and cut off again before it was read: it stands in the copies that were made of it. */
export class CutFile {
  readonly #path: string;
  /** Files that came after one. */
  readonly #after: (file: Generation) => Generation[];
  /** Tells that lines are gone. */
  readonly #lost: (message: string) => void;
  /** The copy of what stood here before the file was last cut, until something of what came then is read. */
  #copied: Generation | null = null;

  constructor(of: {
    path: string;
    after: (file: Generation) => Generation[];
    lost: (message: string) => void;
  }) {
    this.#path = of.path;
    this.#after = of.after;
    this.#lost = of.lost;
  }

  /**
   * What was not read of a file that is seen to be cut, oldest first: of its copy, and of what came after that. Nobody looks for
   * those of a file without a position of the path.
   */
  copies(file: Generation, position: Position | null): Generation[] {
    const found = position ? this.#copies(file, position) : [];
    if (found.length === 0 && file.cut > 0 && file.refusedAt === null)
      this.#lost(`${this.#path} was cut; ${file.cut} bytes that had not been read are not there any more`);
    return found;
  }

  #copies(file: Generation, position: Position): Generation[] {
    if (file.offset === 0 || file.headSize === 0) return [];
    const copy = leftover(this.#path, position);
    if (copy?.inode === file.inode) {
      closeSync(copy.fd);
      return [];
    }
    if (!copy) return [];
    const further = this.#after(copy);
    if (copy.size > copy.offset) return [copy, ...further];
    if (further.length > 0) closeSync(copy.fd);
    else this.#keep(copy);
    return further;
  }

  /** At the first read of a file, or while it is empty: what was written and cut before anybody read of it is in copies alone. */
  missed(file: Generation, bytes: Buffer, late: Generation | null): Generation[] {
    const wasCut = file.cut > 0 || !bytes.subarray(0, file.seen.length).equals(file.seen);
    const last = this.#copied ?? (wasCut ? late : null);
    const missed = last ? this.#after(last) : this.#sinceEmpty(file, bytes, late);
    if (missed.length === 0 && wasCut && file.refusedAt === null)
      this.#lost(`${this.#path} was cut; bytes that had not been read are not there any more`);
    file.cut = 0;
    file.seen = bytes.subarray(0, 0);
    if (bytes.length === 0) sawEmpty(file);
    if (bytes.length > 0 || missed.length > 0) this.#keep(null);
    return missed;
  }

  /**
   * A file that was empty at the last look may have been written and cut since then, more than once: it shrank from nothing to
   * nothing. Only what has its name from a rotation counts, since a second file of the same lines may have grown as well.
   */
  #sinceEmpty(file: Generation, bytes: Buffer, late: Generation | null): Generation[] {
    if (!late || file.seen.length > 0 || (bytes.length === 0 && !isWrittenSince(file))) return [];
    return this.#after(late).filter((one) => {
      const isCut = isTurned(basename(this.#path), one.name);
      if (!isCut) closeSync(one.fd);
      return isCut;
    });
  }

  close(): void {
    this.#keep(null);
  }

  #keep(copy: Generation | null): void {
    if (this.#copied) closeSync(this.#copied.fd);
    this.#copied = copy;
  }
}
