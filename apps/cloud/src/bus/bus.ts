import { whenHeld } from '@albedo/postgres/together';
import type { Logger } from 'pino';
import type { Counter } from 'prom-client';
import type { Server } from 'socket.io';
import type { Topic } from './topic.ts';

/** Where a message comes from. */
export interface Origin {
  /** False for what another process told. */
  isOwn: boolean;
}

export type Listener<Message> = (message: Message, origin: Origin) => unknown;

/** A topic and what is done when it is heard. */
export interface Subscription {
  readonly subscribe: (bus: Bus) => () => void;
}

/** What a feature hears, as it says it; the house subscribes it and ends it with the feature. */
export const hear = <Message>(topic: Topic<Message>, listener: Listener<Message>): Subscription => ({
  subscribe: (bus) => bus.subscribe(topic, listener),
});

/**
 * Messages between features, in this process and in the others.
 *
 * Publishers know no listeners. Any number of them may hear a topic; they are called in the order in which they
 * subscribed. What one of them throws is logged and counted and keeps the message from nobody else; it reaches the
 * publisher only where the topic is vital.
 */
export class Bus {
  readonly #log: Logger;
  readonly #failures: Counter<'topic'> | null;
  readonly #listeners = new Map<string, Set<{ call: Listener<never> }>>();
  #io: Server | null = null;

  constructor(of: { log: Logger; failures?: Counter<'topic'> }) {
    this.#log = of.log;
    this.#failures = of.failures ?? null;
  }

  /** Gives the bus its way to other processes; without one there are none. */
  connect(io: Server): void {
    this.#io = io;
    io.on('bus', (name: string, message: unknown) => {
      void Promise.all(this.#tell(name, message, { isOwn: false }));
    });
  }

  /** Calls the listener with every message of the topic until the function that is answered is called. */
  subscribe<Message>(topic: Topic<Message>, listener: Listener<Message>): () => void {
    const all = this.#listeners.get(topic.name) ?? new Set();
    this.#listeners.set(topic.name, all);
    // One that subscribes twice is called twice.
    const entry = { call: listener };
    all.add(entry);
    return () => void all.delete(entry);
  }

  /**
   * Tells the listeners of this process, and those of all others where the topic reaches them.
   *
   * The listeners of this process have been called when it returns; the promise waits for what they began. It is
   * rejected when one of them fails and the topic is vital, and never otherwise. Inside a transaction that spans features
   * (`together`) they hear of it once that holds.
   */
  async publish<Message>(topic: Topic<Message>, message: Message): Promise<void> {
    await whenHeld(() => this.#publish(topic, message));
  }

  async #publish<Message>(topic: Topic<Message>, message: Message): Promise<void> {
    if (topic.reach === 'everywhere') this.#io?.serverSideEmit('bus', topic.name, message);
    const begun = this.#tell(topic.name, message, { isOwn: true });
    if (begun.length === 0) return;
    const failures = (await Promise.all(begun)).filter((failure) => failure !== null);
    const [first] = failures;
    if (topic.isVital && first) throw first.reason;
  }

  /** True when there may be other processes. */
  get isShared(): boolean {
    return this.#io !== null;
  }

  /** Nobody hears anything any more. */
  stop(): void {
    this.#listeners.clear();
    this.#io = null;
  }

  #tell(name: string, message: unknown, origin: Origin): Promise<Failure | null>[] {
    const listeners = [...(this.#listeners.get(name) ?? [])];
    return listeners.flatMap(({ call }) => {
      try {
        const begun = call(message as never, origin);
        if (!isThenable(begun)) return [];
        const ended = Promise.resolve(begun).then(() => null);
        return [ended.catch((reason: unknown) => this.#failed(name, reason))];
      } catch (reason) {
        return [Promise.resolve(this.#failed(name, reason))];
      }
    });
  }

  #failed(topic: string, reason: unknown): Failure {
    this.#failures?.inc({ topic });
    this.#log.error({ err: reason, topic }, 'a listener failed');
    return { reason };
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as PromiseLike<unknown> | null)?.then === 'function';

interface Failure {
  reason: unknown;
}
