import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BatchRow, OWN_NUMBERS } from '@albedo/contract/link/link.messages';
import type { Logger } from 'pino';
import type { Bus } from '../bus/bus.ts';
import { type ForecastTables, withGoodTimes } from '../forecast-tables/forecast-tables.service.ts';
import { eventsArrived } from '../ingest/ingest.topics.ts';
import { RefusedBlocks, type Telemetry, type TelemetryBlock } from '../telemetry/telemetry.service.ts';
import type { Arrivals } from './arrivals.ts';
import { type HeardEvent, SLOTS } from './message-reader.ts';

/** Events of one message, and where they belong. */
export interface HeardMessageEvents {
  workgroup: string;
  device: string;
  table: string;
  events: readonly HeardEvent[];
  isRepeat: boolean;
  /** Where its events have the time of its arrival, and the broker may bring it again. */
  arrival: { of: Arrivals; id: number } | null;
  /** Stored, or never to be stored and why. */
  done: (stored: number, refused: string | null) => void;
}

/** Messages are collected for so long, of all sources of the process, ms. */
const COLLECT_MS = 100;
/** Events that wait; beyond them nobody reads on. */
const WAITING = 20_000;
const AT_ONCE = 10_000;
const RETRY_MS = [500, 1000, 2000, 5000];

export interface HeardWriterOptions {
  telemetry: Telemetry;
  forecasts: Pick<ForecastTables, 'has'>;
  bus: Bus;
  log: Logger;
}

/** Stores what brokers bring, in batches; a message is done when it is durable. */
export class HeardWriter {
  readonly #of: HeardWriterOptions;
  readonly #waiting: HeardMessageEvents[] = [];
  readonly #stopping = new AbortController();
  #count = 0;
  #run: Promise<void> | null = null;
  #free: (() => void)[] = [];

  constructor(of: HeardWriterOptions) {
    this.#of = of;
  }

  get isFull(): boolean {
    return this.#count >= WAITING;
  }

  /** Resolves when there is room again. */
  room(): Promise<void> {
    return this.isFull ? new Promise((resolve) => this.#free.push(resolve)) : Promise.resolve();
  }

  add(message: HeardMessageEvents): void {
    this.#waiting.push(message);
    this.#count += message.events.length;
    this.#run ??= this.#work().finally(() => {
      this.#run = null;
    });
  }

  /** Stores what waits, but tries no longer where the store fails: brokers bring it again. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#run;
    for (const free of this.#free.splice(0)) free();
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopping;
    while (this.#waiting.length > 0) {
      await sleep(COLLECT_MS, undefined, { signal }).catch(() => undefined);
      const some = this.#take();
      const isStored = await this.#store(some);
      this.#count -= countOf(some);
      if (!this.isFull) for (const free of this.#free.splice(0)) free();
      if (!isStored) return;
    }
  }

  #take(): HeardMessageEvents[] {
    let events = 0;
    let end = 0;
    for (; end < this.#waiting.length && events < AT_ONCE; end++)
      events += this.#waiting[end]?.events.length ?? 0;
    return this.#waiting.splice(0, end);
  }

  /** False where it was given up because of a stop. */
  async #store(messages: HeardMessageEvents[]): Promise<boolean> {
    const { telemetry, forecasts, bus, log } = this.#of;
    const token = randomUUID();
    const arrivals = arrivalsOf(messages);
    const sink = telemetry.asSystem('ingest');
    for (let tries = 0; ; tries++) {
      try {
        const blocks = await freshOf(blocksOf(messages, forecasts), messages, (block) => sink.held(block));
        for (const [of, ids] of arrivals) await of.keep(ids);
        await sink.insert(blocks, token);
        for (const { workgroup, device, stream, rows } of blocks)
          await bus.publish(eventsArrived, { workgroup, device, streams: [{ ...stream, rows }] });
        for (const { events, done } of messages) done(events.length, null);
        for (const [of, ids] of arrivals) of.acknowledged(ids);
        return true;
      } catch (error) {
        if (error instanceof RefusedBlocks) return this.#oneByOne(messages, error);
        log.warn({ err: error, tries }, 'what brokers brought could not be stored yet');
        if (this.#stopping.signal.aborted) return false;
        const pause = RETRY_MS[Math.min(tries, RETRY_MS.length - 1)];
        await sleep(pause, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      }
    }
  }

  /** What cannot be stored in any batch is told and let go; the others are stored. */
  async #oneByOne(messages: HeardMessageEvents[], why: Error): Promise<boolean> {
    const [only] = messages;
    if (messages.length === 1) only?.done(0, why.message);
    else for (const one of messages) if (!(await this.#store([one]))) return false;
    return true;
  }
}

function arrivalsOf(messages: readonly HeardMessageEvents[]): Map<Arrivals, number[]> {
  const arrivals = new Map<Arrivals, number[]>();
  for (const { arrival } of messages) {
    if (!arrival) continue;
    const ids = arrivals.get(arrival.of);
    if (ids) ids.push(arrival.id);
    else arrivals.set(arrival.of, [arrival.id]);
  }
  return arrivals;
}

const countOf = (messages: readonly HeardMessageEvents[]): number =>
  messages.reduce((sum, { events }) => sum + events.length, 0);

/** Above what imports have: an event has its number by its time, so that a repeat is known and a correction replaces. */
const numberOf = ({ at, slot }: HeardEvent): number => OWN_NUMBERS + 2 ** 51 + at * SLOTS + slot;

interface Block extends TelemetryBlock {
  rows: BatchRow[];
}

/** Events of one stream with the same fields are one block. */
function blocksOf(messages: readonly HeardMessageEvents[], forecasts: Pick<ForecastTables, 'has'>): Block[] {
  const blocks = new Map<string, Block>();
  for (const { workgroup, device, table, events } of messages) {
    for (const event of events) {
      const names = event.fields.map(({ name, type, units }) => `${type} ${units ?? ''} ${name}`);
      const key = [workgroup, device, table, event.source, ...names].join('\n');
      const stream = { table, source: event.source, fields: event.fields };
      const block = blocks.get(key) ?? { workgroup, device, stream, rows: [] };
      blocks.set(key, block);
      block.rows.push([numberOf(event), event.at, ...event.values]);
    }
  }
  const now = Date.now();
  return [...blocks.values()].flatMap(({ stream: { table, source, fields }, rows: all, ...of }) => {
    const each = [...new Map(all.map((row) => [row[0], row])).values()];
    const good = withGoodTimes({ fields, rows: each }, now, forecasts.has(of.workgroup, table));
    return good.map(({ rows, ...rest }) => ({ ...of, stream: { table, source, ...rest }, rows }));
  });
}

/** Looks for what is stored already only where a broker says that it may have brought something before. */
async function freshOf(
  blocks: Block[],
  messages: readonly HeardMessageEvents[],
  held: (block: Block) => Promise<ReadonlySet<BatchRow>>,
): Promise<Block[]> {
  if (!messages.some(({ isRepeat }) => isRepeat)) return blocks;
  const fresh: Block[] = [];
  for (const block of blocks) {
    const known = await held(block);
    fresh.push({ ...block, rows: block.rows.filter((row) => !known.has(row)) });
  }
  return fresh.filter(({ rows }) => rows.length > 0);
}
