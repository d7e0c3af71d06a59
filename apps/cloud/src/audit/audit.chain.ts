import { createHash } from 'node:crypto';

/** What the first link of a chain follows. */
export const FIRST_HASH = '';

/** One link of the chain of a workgroup. */
export interface AuditLink {
  workgroup: string;
  seq: number;
  /** The entry as JSON. */
  body: string;
  /** SHA-256, hex. */
  hash: string;
}

/** The newest link of a chain. */
export type ChainHead = Pick<AuditLink, 'workgroup' | 'seq' | 'hash'>;

/** Hash of a link that follows the one with the hash `before`. */
export const linkHash = (before: string, { workgroup, seq, body }: Omit<AuditLink, 'hash'>): string =>
  createHash('sha256').update(`${before}\n${workgroup}\n${seq}\n${body}`).digest('hex');

/** Follows a chain link by link from its begin, or from the link after `head`. */
export class ChainCheck {
  #seq: number;
  #hash: string;

  constructor(head: Pick<ChainHead, 'seq' | 'hash'> = { seq: 0, hash: FIRST_HASH }) {
    this.#seq = head.seq;
    this.#hash = head.hash;
  }

  get seq(): number {
    return this.#seq;
  }

  get hash(): string {
    return this.#hash;
  }

  /** Takes the next link; answers what is wrong with it, null when nothing is. */
  follow(link: AuditLink): string | null {
    const wanted = this.#seq + 1;
    if (link.seq > wanted) return `entry ${wanted} is missing`;
    if (link.seq < wanted) return `entry ${link.seq} stands twice`;
    if (linkHash(this.#hash, link) !== link.hash) return `entry ${link.seq} was changed`;
    this.#seq = link.seq;
    this.#hash = link.hash;
    return null;
  }

  /** Once all links were taken: what is wrong with the end, null when it is the one that was written last. */
  end(head: Pick<ChainHead, 'seq' | 'hash'> | undefined): string | null {
    const { seq, hash } = head ?? { seq: 0, hash: FIRST_HASH };
    if (seq > this.#seq) return `entries ${this.#seq + 1} to ${seq} are missing`;
    return seq === this.#seq && hash === this.#hash ? null : 'its end is not the one that was written';
  }
}
