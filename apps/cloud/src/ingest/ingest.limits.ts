export interface IngestLimits {
  /** A batch waits at most so long for others to share an insert with, ms. */
  flushMs: number;
  /** So many events are inserted without waiting. */
  flushEvents: number;
  /** Events of one insert when more are waiting. */
  blockEvents: number;
  /** Bytes of decoded batches that may wait; beyond that agents are asked to hold theirs. */
  queueBytes: number;
  /** How long an agent that is refused shall wait, ms; a random part is added so that not all come back at once. */
  pauseMs: number;
  /** How long `stop` tries to bring what waits into the store, ms. */
  drainMs: number;
}

export const INGEST_LIMITS: IngestLimits = {
  flushMs: 1000,
  flushEvents: 5000,
  blockEvents: 20_000,
  queueBytes: 48 * 1024 * 1024,
  pauseMs: 2000,
  drainMs: 7000,
};
