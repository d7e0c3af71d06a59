import { createHash, randomUUID } from 'node:crypto';
import type { Attempt, Attempts } from '../attempts/attempts.ts';
import { Seal } from '../secrets/sealed.ts';

const LIFE_MS = 30_000;
/** Taken in the same way by all processes; the row lives a little longer than the ticket. */
const USED = { name: 'socket ticket', limit: 1, windowMs: 2 * LIFE_MS };
const OWNER = 'socket ticket';
const PREFIX = 'ticket.';

/**
 * Tickets that open one socket each. A ticket is the token of the session, sealed with a key that every process has: an
 * address that ends up in a log tells nobody the session, and is good for nothing once the socket is there.
 */
export class SocketTickets {
  readonly #attempts: Pick<Attempts, 'count'>;
  readonly #seal: Seal;

  constructor(of: { attempts: Pick<Attempts, 'count'>; secret: Buffer }) {
    this.#attempts = of.attempts;
    this.#seal = new Seal(createHash('sha256').update(OWNER).update(of.secret).digest('base64'));
  }

  make(token: string, now = Date.now()): string {
    const content = JSON.stringify({ token, id: randomUUID(), until: now + LIFE_MS });
    return PREFIX + Buffer.from(this.#seal.close(content, OWNER), 'base64').toString('base64url');
  }

  /** The token of the session, once; null for a ticket that is none, used or too old. */
  async take(ticket: string, now = Date.now()): Promise<string | null> {
    if (!ticket.startsWith(PREFIX)) return null;
    const opened = this.#open(ticket.slice(PREFIX.length));
    if (!opened || opened.until < now) return null;
    const used: Attempt = [USED, opened.id];
    return (await this.#attempts.count(used)) === 0 ? opened.token : null;
  }

  #open(sealed: string): { token: string; id: string; until: number } | null {
    try {
      const content = this.#seal.open(Buffer.from(sealed, 'base64url').toString('base64'), OWNER);
      return JSON.parse(content) as { token: string; id: string; until: number };
    } catch {
      // Whatever is wrong with it, it opens nothing.
      return null;
    }
  }
}
