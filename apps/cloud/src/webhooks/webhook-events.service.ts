import { randomUUID } from 'node:crypto';
import { WEBHOOK_LIMITS, WEBHOOK_VERSION, type WebhookEvent } from '@albedo/contract/webhooks/webhooks.names';
import type { Transaction } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import type { NewDelivery, WebhooksStore } from './webhooks.store.ts';

/** Events that could not be written are tried again after this pause, ms, and this often. */
const AGAIN = { afterMs: 10_000, times: 60 } as const;

/** Something that webhooks can report; `data` goes into the payload. */
export interface Happening {
  event: WebhookEvent;
  /** When it happened, epoch ms. */
  at: number;
  data: object;
}

/** The message about it for one webhook. */
export function messageOf(
  workgroup: string,
  webhook: string,
  { event, at, data }: { event: NewDelivery['event']; at: number; data: object },
  now: number,
): NewDelivery {
  const id = randomUUID();
  const time = new Date(at).toISOString();
  const body = JSON.stringify({ version: WEBHOOK_VERSION, id, type: event, time, workgroup, data });
  return { id, workgroup, webhook, event, body, createdAt: new Date(now) };
}

/**
 * Queues messages about events for the webhooks that want them. They go out from the queue, in this process or after a restart.
 *
 * What is written inside a transaction is kept or lost with it. What is only told is lost if the process dies before it is
 * written: the events of that moment or, while the database does not answer, of the last ten minutes.
 */
export class WebhookEvents {
  readonly #store: EventsStore;
  readonly #wake: (workgroup: string) => Promise<void>;
  readonly #now: () => number;
  readonly #log: Logger;
  #gathered = new Map<string, Batch>();
  /** Batches that could not be written and wait for another attempt. */
  readonly #resting = new Map<string, Batch>();
  #again: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;

  constructor(of: {
    store: EventsStore;
    /** Starts sending what waits in a workgroup. */
    wake: (workgroup: string) => Promise<void>;
    now: () => number;
    log: Logger;
  }) {
    this.#store = of.store;
    this.#wake = of.wake;
    this.#now = of.now;
    this.#log = of.log;
  }

  /** With a transaction the messages are kept or lost with it; wake the workgroup once it is committed. */
  async write(workgroup: string, happenings: readonly Happening[], inside?: Transaction): Promise<void> {
    if (!inside) return this.#store.transaction((begun) => this.write(workgroup, happenings, begun));
    const events = [...new Set(happenings.map(({ event }) => event))];
    const wanting = await this.#store.wanting(workgroup, events, inside);
    const messages = wanting.flatMap(({ id, events: wanted }) =>
      happenings
        .filter(({ event }) => wanted.includes(event))
        .map((happening) => messageOf(workgroup, id, happening, this.#now())),
    );
    if (messages.length > 0) await this.#store.addDeliveries(messages, inside);
  }

  /** Writes soon. Events that come in while others are being written are written together, so that a burst takes few statements. */
  tell(workgroup: string, happening: Happening): void {
    const resting = this.#resting.get(workgroup);
    if (resting) {
      resting.happenings.push(happening);
      if (resting.happenings.length > WEBHOOK_LIMITS.waiting) resting.happenings.shift();
      return;
    }
    const gathered = this.#gathered.get(workgroup);
    if (gathered) gathered.happenings.push(happening);
    else this.#gathered.set(workgroup, { happenings: [happening], times: 0 });
    this.#write();
  }

  /** Resolves when everything told so far is written or waits for another attempt. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** Makes one last attempt at what could not be written; if that fails too, it is lost. */
  async stop(): Promise<void> {
    await this.settled();
    for (const resting of this.#resting.values()) resting.times = AGAIN.times;
    this.#tryAgain();
    await this.settled();
  }

  #write(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
    });
  }

  async #writeAll(): Promise<void> {
    // Everything told in the same turn is written together.
    await null;
    while (this.#gathered.size > 0) {
      const all = this.#gathered;
      this.#gathered = new Map();
      for (const [workgroup, batch] of all) await this.#writeBatch(workgroup, batch);
    }
  }

  async #writeBatch(workgroup: string, { happenings, times }: Batch): Promise<void> {
    try {
      await this.write(workgroup, happenings);
    } catch (err) {
      const isLost = times >= AGAIN.times;
      const what = isLost ? 'events are lost to webhooks' : 'webhooks are told of events later';
      this.#log.error({ err, workgroup, events: happenings.length }, what);
      if (!isLost) this.#rest(workgroup, { happenings, times: times + 1 });
      return;
    }
    // If this fails, the queue finds the messages within a minute.
    await this.#wake(workgroup).catch((err) =>
      this.#log.error({ err, workgroup }, 'webhooks were not woken'),
    );
  }

  /** Events that came during the attempt go behind the batch. */
  #rest(workgroup: string, { happenings, times }: Batch): void {
    const later = this.#gathered.get(workgroup)?.happenings ?? [];
    this.#gathered.delete(workgroup);
    const all = [...happenings, ...later].slice(-WEBHOOK_LIMITS.waiting);
    this.#resting.set(workgroup, { happenings: all, times });
    this.#again ??= setTimeout(() => this.#tryAgain(), AGAIN.afterMs).unref();
  }

  #tryAgain(): void {
    if (this.#again) clearTimeout(this.#again);
    this.#again = null;
    for (const [workgroup, batch] of this.#resting) this.#gathered.set(workgroup, batch);
    this.#resting.clear();
    this.#write();
  }
}

type EventsStore = Pick<WebhooksStore, 'wanting' | 'addDeliveries' | 'transaction'>;

interface Batch {
  happenings: Happening[];
  /** Failed attempts to write it. */
  times: number;
}
