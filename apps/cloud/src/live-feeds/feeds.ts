import { randomUUID } from 'node:crypto';
import type { LiveMessage, RequestMessage } from '@albedo/contract/link/link.messages';

/** A feed ends on the device after this, s, unless it is asked for again. */
export const FEED_TTL_S = 30;
/** It is asked for again well before that, ms. */
const RENEW_MS = 10_000;

export interface FeedKey {
  device: string;
  table: string;
  source: string;
}

type Viewer = (events: LiveMessage['events']) => void;

interface SharedFeed extends FeedKey {
  feedId: string;
  viewers: Set<Viewer>;
  renewal: NodeJS.Timeout;
}

/**
 * Live feeds: any number of viewers of one source share one feed on its device. The first viewer starts it, the last
 * one to leave stops it, and while there is one it is renewed, so it goes on by itself when the device comes back.
 */
export class Feeds {
  readonly #ask: (device: string, request: RequestMessage) => Promise<boolean>;
  readonly #byKey = new Map<string, SharedFeed>();
  readonly #byId = new Map<string, SharedFeed>();

  constructor(ask: (device: string, request: RequestMessage) => Promise<boolean>) {
    this.#ask = ask;
  }

  /** Adds a viewer; the function that is answered removes it. */
  watch(key: FeedKey, viewer: Viewer): () => void {
    const feed = this.#byKey.get(nameOf(key)) ?? this.#open(key);
    feed.viewers.add(viewer);
    return () => {
      feed.viewers.delete(viewer);
      if (feed.viewers.size === 0) this.#close(feed);
    };
  }

  /** Gives samples that a device sent to all viewers; samples of feeds that are not ours are none. */
  take(device: string, message: LiveMessage): void {
    const feed = this.#byId.get(message.feedId);
    if (!feed || feed.device !== device) return;
    for (const viewer of feed.viewers) viewer(message.events);
  }

  /** Asks again at once for the feeds of a device that has just come back. */
  renew(device: string): void {
    for (const feed of this.#byKey.values()) if (feed.device === device) this.#request(feed);
  }

  /** Number of feeds that run. */
  get size(): number {
    return this.#byKey.size;
  }

  stop(): void {
    for (const feed of [...this.#byKey.values()]) this.#close(feed);
  }

  #open(key: FeedKey): SharedFeed {
    const feed: SharedFeed = {
      ...key,
      feedId: randomUUID(),
      viewers: new Set(),
      renewal: setInterval(() => this.#request(feed), RENEW_MS),
    };
    this.#byKey.set(nameOf(key), feed);
    this.#byId.set(feed.feedId, feed);
    this.#request(feed);
    return feed;
  }

  #close(feed: SharedFeed): void {
    if (!this.#byId.delete(feed.feedId)) return;
    clearInterval(feed.renewal);
    this.#byKey.delete(nameOf(feed));
    void this.#ask(feed.device, { action: 'feedStop', feedId: feed.feedId });
  }

  #request(feed: SharedFeed): void {
    const { feedId, table, source } = feed;
    void this.#ask(feed.device, { action: 'feed', feedId, table, source, ttlS: FEED_TTL_S });
  }
}

const nameOf = ({ device, table, source }: FeedKey): string => JSON.stringify([device, table, source]);
