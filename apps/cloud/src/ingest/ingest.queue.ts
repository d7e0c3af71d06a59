import type { DeclaredGap } from '@albedo/contract/link/link.messages';
import type { Range } from '../completeness/completeness.service.ts';
import type { CheckedStream, Poison } from './ingest.check.ts';

/** A batch that waits for the store. */
export interface WaitingBatch {
  device: string;
  workgroup: string;
  /** In which the batch arrived; it is worth nothing in another one. */
  tenure: number;
  outbox: string;
  /** Who numbered it; null from an agent that does not know epochs. */
  epoch: string | null;
  /** Epoch ms. */
  receivedAt: number;
  /** Bytes of its JSON text, the measure of the memory it takes. */
  bytes: number;
  events: number;
  streams: CheckedStream[];
  /** Rows whose numbers were stored or on their way when they came: repeats, or numbers used twice. */
  repeats: CheckedStream[];
  /** Numbers of the rows in `streams`. */
  ranges: Range[];
  /** Numbers to acknowledge once this batch is dealt with: stored now, stored before, or set aside. */
  ackRanges: Range[];
  poison: Poison[];
  gaps: DeclaredGap[];
}

export interface QueueLimits {
  /** Bytes that may wait in all. */
  bytes: number;
  /** Bytes that may wait of one device, so that one that back-fills a month leaves room for the others. */
  deviceBytes: number;
}

/** Batches in the order of their arrival, bounded in bytes. */
export class IngestQueue {
  readonly #limits: QueueLimits;
  #batches: WaitingBatch[] = [];
  readonly #bytesOf = new Map<string, number>();
  #bytes = 0;
  #events = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Events that wait and were not taken yet. */
  get events(): number {
    return this.#events;
  }

  get isEmpty(): boolean {
    return this.#batches.length === 0;
  }

  /** Arrival of the oldest batch that was not taken yet, epoch ms. */
  get oldestAt(): number {
    return this.#batches[0]?.receivedAt ?? Number.POSITIVE_INFINITY;
  }

  /** Whether batches of such devices wait or are being stored. */
  holds(isMeant: (device: string) => boolean): boolean {
    for (const device of this.#bytesOf.keys()) if (isMeant(device)) return true;
    return false;
  }

  hasRoomFor(device: string): boolean {
    return this.#bytes < this.#limits.bytes && (this.#bytesOf.get(device) ?? 0) < this.#limits.deviceBytes;
  }

  push(batch: WaitingBatch): void {
    this.#batches.push(batch);
    this.#events += batch.events;
    this.#count(batch, batch.bytes);
  }

  /** Takes the oldest batches, at least one, up to this many events. They count until `release`. */
  take(maxEvents: number): WaitingBatch[] {
    let count = 0;
    let events = 0;
    for (const batch of this.#batches) {
      if (count > 0 && events + batch.events > maxEvents) break;
      events += batch.events;
      count++;
    }
    this.#events -= events;
    return this.#batches.splice(0, count);
  }

  /** These batches are dealt with. */
  release(batches: readonly WaitingBatch[]): void {
    for (const batch of batches) this.#count(batch, -batch.bytes);
  }

  #count(batch: WaitingBatch, bytes: number): void {
    this.#bytes += bytes;
    const left = (this.#bytesOf.get(batch.device) ?? 0) + bytes;
    if (left > 0) this.#bytesOf.set(batch.device, left);
    else this.#bytesOf.delete(batch.device);
  }
}
