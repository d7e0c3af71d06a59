import { createHash } from 'node:crypto';
import type { BrokerMessage } from './mqtt-link.ts';

/** Messages that a broker may bring again: their number at the broker, what they say, and when they came first. */
export type KeptArrivals = [id: number, digest: string, at: number][];

/** Topics whose last arrival is remembered. */
const TOPICS = 10_000;
/** So many acknowledgements may be lost on their way to the broker. */
const LOST = 500;

/**
 * When the messages of one broker came, for those that have no other time.
 *
 * A message that comes again has the time of its first arrival, so that it is known: the broker numbers what it has sent,
 * and gives a number to another message only when this one is acknowledged. What is to be stored is kept durably before,
 * for the process that hears it next. Two messages of a topic never have the same time, also where they waited at
 * the broker and come all at once.
 */
export class Arrivals {
  readonly #known: Map<number, { digest: string; at: number }>;
  readonly #save: (kept: KeptArrivals) => Promise<void>;
  readonly #unacknowledged = new Set<number>();
  /** The newest of those that are acknowledged, if the broker heard it. */
  #acknowledged: number[] = [];
  readonly #last = new Map<string, number>();

  constructor(kept: KeptArrivals, save: (kept: KeptArrivals) => Promise<void>) {
    this.#known = new Map(kept.map(([id, digest, at]) => [id, { digest, at }]));
    this.#save = save;
  }

  /** Epoch ms. */
  of(message: Pick<BrokerMessage, 'id' | 'topic' | 'payload' | 'isRepeat'>, now: number): number {
    const { id, topic, isRepeat } = message;
    const digest = id === null ? '' : digestOf(message);
    const known = id !== null && isRepeat ? this.#known.get(id) : undefined;
    if (known?.digest === digest) return known.at;
    const at = Math.max(now, (this.#last.get(topic) ?? 0) + 1);
    if (this.#last.size >= TOPICS) this.#last.clear();
    this.#last.set(topic, at);
    if (id !== null) this.#known.set(id, { digest, at });
    return at;
  }

  /** Resolves when it is durable when these came. */
  async keep(ids: readonly number[]): Promise<void> {
    for (const id of ids) this.#unacknowledged.add(id);
    const kept = [...new Set([...this.#acknowledged, ...this.#unacknowledged])];
    await this.#save(
      kept.flatMap((id): KeptArrivals => {
        const known = this.#known.get(id);
        return known ? [[id, known.digest, known.at]] : [];
      }),
    );
  }

  acknowledged(ids: readonly number[]): void {
    for (const id of ids) this.#unacknowledged.delete(id);
    this.#acknowledged = [...this.#acknowledged, ...ids].slice(-LOST);
  }
}

const digestOf = ({ topic, payload }: Pick<BrokerMessage, 'topic' | 'payload'>): string =>
  createHash('sha256').update(`${topic}\0`).update(payload).digest('base64url').slice(0, 16);
