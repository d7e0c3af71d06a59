import { randomUUID } from 'node:crypto';
import { WEBHOOK_LIMITS, WEBHOOK_VERSION, type WebhookEvent } from '@albedo/contract/webhooks/webhooks.names';
import type { Transaction } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import type { NewDelivery, WebhooksStore } from './webhooks.store.ts';

/** What could not be written is tried again after so long, ms, and so often. */
const AGAIN = { afterMs: 10_000, times: 60 } as const;

/** Something that webhooks may be told of; `data` is what the payload has of it. */
export interface Happening {
  event: WebhookEvent;
  /** When it happened, epoch ms. */
  at: number;
  data: object;
}

/** A message about it, for one webhook. */
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
 * Writes down what happens for the webhooks that want it, from where it goes out, in this process or after a start.
 *
 * What is written inside a transaction happens with it. What is only told is lost where the process dies before it is written:
 * that of the moment, or, while the database answers nothing, of the last ten minutes.
 */
export class WebhookEvents {
  readonly #store: EventsStore;
  readonly #wake: (workgroup: string) => Promise<void>;
  readonly #now: () => number;
  readonly #log: Logger;
  #gathered = new Map<string, Told>();
  /** What could not be written and waits for another attempt. */
  readonly #resting = new Map<string, Told>();
  #again: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;

  constructor(of: {
    store: EventsStore;
    /** Has what waits in a workgroup sent. */
    wake: (workgroup: string) => Promise<void>;
    now: () => number;
    log: Logger;
  }) {
    this.#store = of.store;
    this.#wake = of.wake;
    this.#now = of.now;
    this.#log = of.log;
  }

  /** Inside a transaction they are kept with what else it writes; wake the workgroup after it. */
  async write(workgroup: string, happenings: readonly Happening[], inside?: Transaction): Promise<void> {
    if (!inside) return this.#store.transaction((one) => this.write(workgroup, happenings, one));
    const events = [...new Set(happenings.map(({ event }) => event))];
    const wanting = await this.#store.wanting(workgroup, events, inside);
    const messages = wanting.flatMap(({ id, events: wanted }) =>
      happenings
        .filter(({ event }) => wanted.includes(event))
        .map((happening) => messageOf(workgroup, id, happening, this.#now())),
    );
    if (messages.length > 0) await this.#store.addDeliveries(messages, inside);
  }

  /** Writes soon; what comes while others are written goes together, so that a burst is a few statements. */
  tell(workgroup: string, happening: Happening): void {
    const resting = this.#resting.get(workgroup);
    if (resting) {
      resting.happenings.push(happening);
      if (resting.happenings.length > WEBHOOK_LIMITS.waiting) resting.happenings.shift();
      return;
    }
    const known = this.#gathered.get(workgroup);
    if (known) known.happenings.push(happening);
    else this.#gathered.set(workgroup, { happenings: [happening], times: 0 });
    this.#write();
  }

  /** What was told is written, or waits for another attempt. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** One more attempt at what could not be written; it is lost where that fails as well. */
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
    // Whoever tells in one go is not interrupted.
    await null;
    while (this.#gathered.size > 0) {
      const all = this.#gathered;
      this.#gathered = new Map();
      for (const [workgroup, told] of all) await this.#writeTold(workgroup, told);
    }
  }

  async #writeTold(workgroup: string, { happenings, times }: Told): Promise<void> {
    try {
      await this.write(workgroup, happenings);
    } catch (err) {
      const isLost = times >= AGAIN.times;
      const what = isLost ? 'events are lost to webhooks' : 'webhooks are told of events later';
      this.#log.error({ err, workgroup, events: happenings.length }, what);
      if (!isLost) this.#rest(workgroup, { happenings, times: times + 1 });
      return;
    }
    // Whom this does not wake is found waiting within a minute.
    await this.#wake(workgroup).catch((err) =>
      this.#log.error({ err, workgroup }, 'webhooks were not woken'),
    );
  }

  /** What came while it was tried comes after it. */
  #rest(workgroup: string, { happenings, times }: Told): void {
    const later = this.#gathered.get(workgroup)?.happenings ?? [];
    this.#gathered.delete(workgroup);
    const all = [...happenings, ...later].slice(-WEBHOOK_LIMITS.waiting);
    this.#resting.set(workgroup, { happenings: all, times });
    this.#again ??= setTimeout(() => this.#tryAgain(), AGAIN.afterMs).unref();
  }

  #tryAgain(): void {
    if (this.#again) clearTimeout(this.#again);
    this.#again = null;
    for (const [workgroup, told] of this.#resting) this.#gathered.set(workgroup, told);
    this.#resting.clear();
    this.#write();
  }
}

type EventsStore = Pick<WebhooksStore, 'wanting' | 'addDeliveries' | 'transaction'>;

interface Told {
  happenings: Happening[];
  /** Attempts to write it that failed. */
  times: number;
}
