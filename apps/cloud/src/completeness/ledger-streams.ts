import type { StatusMessage } from '@albedo/contract/link/link.messages';

export interface StreamCounts {
  table: string;
  source: string;
  /** As the device counts since its outbox was made. */
  captured: number;
  sent: number;
  dropped: number;
  /** The same three of outboxes that are gone. */
  capturedBefore: number;
  sentBefore: number;
  droppedBefore: number;
  /** Counted here. */
  stored: number;
  setAside: number;
  /** Of the stored ones, those that have the time of their arrival; absent where there is none. */
  ahead?: number;
  firstEventAt: number | null;
  lastEventAt: number | null;
}

/** What one outbox counts for in the streams. */
export type OutboxCounts = [table: string, source: string, captured: number, sent: number, dropped: number];

/** Streams of one device that are counted one by one. */
const STREAMS_KEPT = 10_000;
const OTHERS = '*';

/** What was counted of each stream of a device: by its outbox of now, by those before, and here. */
export class LedgerStreams {
  readonly #streams = new Map<string, StreamCounts>();

  restore(streams: readonly StreamCounts[]): void {
    for (const one of streams) this.#streams.set(keyOf(one.table, one.source), one);
  }

  save(): StreamCounts[] {
    return [...this.#streams.values()];
  }

  /** Begins with nothing where a stream is new. Those beyond what is kept of a device count together. */
  of(table: string, source: string): StreamCounts {
    const isFull = this.#streams.size >= STREAMS_KEPT && !this.#streams.has(keyOf(table, source));
    return isFull ? this.#one(OTHERS, OTHERS) : this.#one(table, source);
  }

  #one(table: string, source: string): StreamCounts {
    const key = keyOf(table, source);
    let stream = this.#streams.get(key);
    if (!stream) {
      stream = { table, source, ...noCounts };
      this.#streams.set(key, stream);
    }
    return stream;
  }

  noteStatus(counts: StatusMessage['streams']): void {
    for (const [table, source, captured, sent, dropped] of counts)
      Object.assign(this.of(table, source), { captured, sent, dropped });
  }

  /** The outbox is gone, and the next one counts from nothing. Gives what it counted. */
  closeOutbox(): OutboxCounts[] {
    return [...this.#streams.values()].map((stream) => {
      // What arrived was captured, also where the device ended before it could count that.
      const arrived = stream.stored + stream.setAside + stream.droppedBefore + stream.dropped;
      const captured = Math.max(stream.captured, arrived - stream.capturedBefore);
      stream.capturedBefore += captured;
      stream.sentBefore += stream.sent;
      stream.droppedBefore += stream.dropped;
      const counted: OutboxCounts = [stream.table, stream.source, captured, stream.sent, stream.dropped];
      Object.assign(stream, { captured: 0, sent: 0, dropped: 0 });
      return counted;
    });
  }

  /** The outbox is there again, and counts on. */
  reopenOutbox(counted: readonly OutboxCounts[]): void {
    for (const [table, source, captured, sent, dropped] of counted) {
      const stream = this.of(table, source);
      stream.capturedBefore -= captured;
      stream.sentBefore -= sent;
      stream.droppedBefore -= dropped;
      Object.assign(stream, { captured, sent, dropped });
    }
  }

  /** The counts of all outboxes together. */
  sums() {
    return [...this.#streams.values()].map((stream) => ({
      table: stream.table,
      source: stream.source,
      captured: stream.capturedBefore + stream.captured,
      sent: stream.sentBefore + stream.sent,
      stored: stream.stored,
      dropped: stream.droppedBefore + stream.dropped,
      setAside: stream.setAside,
      ahead: stream.ahead ?? 0,
      firstEventAt: stream.firstEventAt,
      lastEventAt: stream.lastEventAt,
    }));
  }
}

const noCounts = {
  captured: 0,
  sent: 0,
  dropped: 0,
  capturedBefore: 0,
  sentBefore: 0,
  droppedBefore: 0,
  stored: 0,
  setAside: 0,
  firstEventAt: null,
  lastEventAt: null,
};

const keyOf = (table: string, source: string): string => `${table}\n${source}`;
