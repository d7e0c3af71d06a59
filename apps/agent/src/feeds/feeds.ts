import type { LiveMessage } from '@albedo/contract/link/link.messages';
import { LIVE_MS } from '../captures/follower.ts';
import type { Capture } from '../outbox/outbox.events.ts';

interface Feed {
  table: string;
  source: string;
  endsAt: number;
}

const MAX_FEEDS = 200;
/** Events of one message; of more that arrive at once only the newest are shown. */
const MAX_EVENTS = 200;

/** Live feeds that somebody looks at: events go out as they arrive, before the outbox, and nothing is kept for them. */
export class Feeds {
  readonly #feeds = new Map<string, Feed>();
  readonly #send: (message: LiveMessage) => void;

  constructor(send: (message: LiveMessage) => void) {
    this.#send = send;
  }

  /** Starts a feed, or keeps it going for another `ttlS`. */
  start(feedId: string, table: string, source: string, ttlS: number): void {
    if (!this.#feeds.has(feedId) && this.#feeds.size >= MAX_FEEDS) return;
    this.#feeds.set(feedId, { table, source, endsAt: performance.now() + ttlS * 1000 });
  }

  stop(feedId: string): void {
    this.#feeds.delete(feedId);
  }

  clear(): void {
    this.#feeds.clear();
  }

  offer(captures: Capture[]): void {
    if (this.#feeds.size === 0) return;
    const now = performance.now();
    for (const [feedId, { table, source, endsAt }] of this.#feeds) {
      if (now > endsAt) {
        this.#feeds.delete(feedId);
        continue;
      }
      const events = captures
        .filter(({ shape }) => shape.table === table && shape.source === source)
        .flatMap(liveEvents)
        .slice(-MAX_EVENTS);
      if (events.length > 0) this.#send({ feedId, table, source, events });
    }
  }
}

function liveEvents({ shape, rows }: Capture): LiveMessage['events'] {
  const oldest = Date.now() - LIVE_MS;
  return rows
    .filter((row) => row.eventAt > oldest)
    .map((row) => [
      row.eventAt,
      Object.fromEntries(shape.fields.map((one, at) => [one.name, row.values[at] ?? null])),
    ]);
}
