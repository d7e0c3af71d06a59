import { randomUUID } from 'node:crypto';
import { WEBHOOK_VERSION, type WebhookEvent } from '@albedo/contract/webhooks/webhooks.names';
import type { Transaction } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import type { NewDelivery, WebhooksStore } from './webhooks.store.ts';

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

/** Writes down what happens for the webhooks that want it, from where it goes out, in this process or after a start. */
export class WebhookEvents {
  readonly #store: Pick<WebhooksStore, 'wanting' | 'addDeliveries'>;
  readonly #wake: (workgroup: string) => Promise<void>;
  readonly #now: () => number;
  readonly #log: Logger;
  #gathered = new Map<string, Happening[]>();
  #writing: Promise<void> | null = null;

  constructor(of: {
    store: Pick<WebhooksStore, 'wanting' | 'addDeliveries'>;
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
    const known = this.#gathered.get(workgroup);
    if (known) known.push(happening);
    else this.#gathered.set(workgroup, [happening]);
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
    });
  }

  async settled(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // Whoever tells in one go is not interrupted.
    await null;
    while (this.#gathered.size > 0) {
      const all = this.#gathered;
      this.#gathered = new Map();
      for (const [workgroup, happenings] of all) {
        try {
          await this.write(workgroup, happenings);
          await this.#wake(workgroup);
        } catch (err) {
          this.#log.error({ err, workgroup, events: happenings.length }, 'webhooks were not told of events');
        }
      }
    }
  }
}
