import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, Subscription } from '@albedo/contract/external-sources/external-sources.schema';
import type { Mapping } from '@albedo/contract/mapping/mapping.schema';
import { OutsideError, type OutsideFetch } from '../outbound/outside-fetch.ts';
import { Arrivals, type KeptArrivals } from './arrivals.ts';
import type { ExternalSourceRow, FollowerNews } from './external-sources.store.ts';
import type { HeardWriter } from './heard-writer.ts';
import { isOfFilter, type MessageReader } from './message-reader.ts';
import { type BrokerAddress, type BrokerMessage, MqttLink } from './mqtt-link.ts';
import { PlainMessages } from './plain-messages.ts';
import { SparkplugReader } from './sparkplug.reader.ts';

/** A source that a broker brings. */
export type SubscribedSource = ExternalSourceRow & {
  subscription: Subscription;
  mapping: Mapping;
  device: string;
};

export interface FollowerOptions {
  source: SubscribedSource;
  password: string | null;
  gate: Pick<OutsideFetch, 'lookupOf'>;
  writer: HeardWriter;
  keepArrivals: (kept: KeptArrivals) => Promise<void>;
  /** Something changed that people see; at once where the connection came or went. */
  onChange: (isUrgent: boolean) => void;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 300_000;
/** A connection that lasted so long was a good one. */
const GOOD_MS = 60_000;
/** Events that one source may bring in a minute; then it is not read until the next. */
export const EVENTS_A_MINUTE = 60_000;
/** Something wrong in a message is told for so long after it, ms. */
const TOLD_MS = 600_000;

export const readerOf = (
  { subscription, ...source }: Pick<SubscribedSource, 'mapping' | 'format' | 'recordsPath' | 'subscription'>,
  isLook = false,
): MessageReader =>
  subscription.payload === 'sparkplug'
    ? new SparkplugReader(source.mapping)
    : new PlainMessages({ ...source, payload: subscription.payload }, isLook);

/** Where the broker is. Throws `OutsideError`. */
export async function brokerOf(
  gate: Pick<OutsideFetch, 'lookupOf'>,
  { address, user, clientId, topics, caPem }: Subscription,
  as: { password: string | null; id: string; isKept: boolean },
): Promise<BrokerAddress> {
  if (!URL.canParse(address)) throw new OutsideError('this is no address.');
  const url = new URL(address);
  const lookup = await gate.lookupOf(url);
  const known = as.isKept ? (clientId ?? `albedo-${as.id}`) : `albedo-${as.id}`;
  return { url, lookup, caPem, clientId: known, user, password: as.password, topics, isKept: as.isKept };
}

/** Stays with the broker of one source, and hands what it says to the writer. */
export class BrokerFollower {
  readonly #of: FollowerOptions;
  readonly #reader: MessageReader;
  readonly #arrivals: Arrivals;
  readonly #stopping = new AbortController();
  #link: MqttLink | null = null;
  #run: Promise<void> | null = null;
  #connection: Connection = { isConnected: false, since: Date.now(), messages: 0, events: 0, faults: 0 };
  #lastAt: Date | null = null;
  #lastEvents: number | null = null;
  #newestAt = 0;
  #broken: string | null = null;
  #fault: { text: string; at: number } | null = null;
  #minute = { since: 0, events: 0 };
  #isHeld = false;

  constructor(of: FollowerOptions) {
    this.#of = of;
    this.#reader = readerOf(of.source);
    this.#arrivals = new Arrivals(of.source.arrivals ?? [], of.keepArrivals);
  }

  get revision(): number {
    return this.#of.source.revision;
  }

  get topics(): readonly string[] {
    return this.#of.source.subscription.topics;
  }

  get news(): FollowerNews {
    const isRecent = this.#fault !== null && Date.now() - this.#fault.at < TOLD_MS;
    return {
      connection: { ...this.#connection },
      lastAt: this.#lastAt,
      lastError: this.#broken ?? (isRecent ? (this.#fault?.text ?? null) : null),
      lastEvents: this.#lastEvents,
      newestAt: this.#newestAt,
    };
  }

  start(): void {
    this.#run = this.#stay();
  }

  /** Reads no more. What was read is still acknowledged until `leave`. */
  hold(): void {
    this.#isHeld = true;
    this.#link?.pause();
  }

  /** Ends the connection. The broker keeps nothing for these topics any more. */
  async leave(forgotten: readonly string[] = []): Promise<void> {
    const link = this.#link;
    if (link && forgotten.length > 0) {
      link.resume();
      await link.unsubscribe(forgotten);
    }
    this.#stopping.abort();
    link?.close();
    await this.#run;
  }

  async #stay(): Promise<void> {
    const { signal } = this.#stopping;
    let pause = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const since = Date.now();
      const why = await this.#once();
      if (signal.aborted) return;
      pause = Date.now() - since > GOOD_MS ? FIRST_PAUSE_MS : pause;
      this.#turn(false, why);
      await sleep(pause * (0.8 + Math.random() * 0.4), undefined, { signal }).catch(() => undefined);
      pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
    }
  }

  /** One connection, from its beginning to its end; why it ended. */
  async #once(): Promise<string> {
    const { source, gate, password } = this.#of;
    const { signal } = this.#stopping;
    try {
      const broker = await brokerOf(gate, source.subscription, { password, id: source.id, isKept: true });
      const why = await new Promise<OutsideError | null>((resolve, reject) => {
        MqttLink.open(broker, { onMessage: (message) => this.#hear(message), onEnd: resolve }, signal).then(
          (link) => {
            this.#link = link;
            if (this.#isHeld) link.pause();
            this.#turn(true, null);
          },
          reject,
        );
      });
      return why?.message ?? 'the connection was ended.';
    } catch (error) {
      if (error instanceof OutsideError) return error.message;
      throw error;
    } finally {
      this.#link = null;
    }
  }

  #turn(isConnected: boolean, why: string | null): void {
    this.#broken = why;
    if (this.#connection.isConnected !== isConnected)
      this.#connection = { ...this.#connection, isConnected, since: Date.now() };
    this.#of.onChange(true);
  }

  #hear(message: BrokerMessage): void {
    const { source, writer } = this.#of;
    const { goesByArrival } = this.#reader;
    const now = Date.now();
    this.#connection.messages += 1;
    // The broker may still keep a subscription of an earlier state of this source.
    const isOurs = source.subscription.topics.some((one) => isOfFilter(message.topic, one));
    const { events, faults, answer } = isOurs
      ? this.#reader.read(message, goesByArrival ? this.#arrivals.of(message, now) : now)
      : { events: [], faults: [], answer: undefined };
    const [fault] = faults;
    if (fault)
      this.#note(faults.length, fault.reason === 'message' ? fault.text : `${fault.reason}: ${fault.text}`);
    if (answer) this.#link?.publish(answer.topic, answer.payload);
    this.#of.onChange(false);
    if (events.length === 0) {
      message.taken();
      return;
    }
    writer.add({
      workgroup: source.workgroup,
      device: source.device,
      table: source.mapping.table,
      events,
      isRepeat: message.isRepeat,
      arrival: goesByArrival && message.id !== null ? { of: this.#arrivals, id: message.id } : null,
      done: (stored, refused) => {
        message.taken();
        if (refused !== null) this.#note(events.length, refused);
        this.#connection.events += stored;
        this.#lastAt = new Date();
        this.#lastEvents = stored;
        for (const { at } of events) this.#newestAt = Math.max(this.#newestAt, at);
        this.#of.onChange(false);
      },
    });
    this.#slow(events.length, now);
  }

  #note(count: number, text: string): void {
    this.#connection.faults += count;
    this.#fault = { text: text.slice(0, 300), at: Date.now() };
  }

  /** Reads on only when there is room, and when the source has brought no more than it may: the broker keeps the rest. */
  #slow(events: number, now: number): void {
    const { writer } = this.#of;
    if (now - this.#minute.since >= 60_000) this.#minute = { since: now, events: 0 };
    this.#minute.events += events;
    const isOver = this.#minute.events > EVENTS_A_MINUTE;
    if (!isOver && !writer.isFull) return;
    const link = this.#link;
    if (!link) return;
    link.pause();
    if (isOver)
      this.#note(0, `More than ${EVENTS_A_MINUTE} events in a minute: the rest waits at the broker.`);
    const pause = isOver ? this.#minute.since + 60_000 - now : 0;
    const { signal } = this.#stopping;
    void Promise.all([writer.room(), sleep(pause, undefined, { signal }).catch(() => undefined)]).then(() => {
      if (!this.#isHeld) link.resume();
    });
  }
}
