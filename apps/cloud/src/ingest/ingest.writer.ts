import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchRow } from '@albedo/contract/link/link.messages';
import { topicOf } from '@albedo/contract/link/link.topics';
import type { DeviceLink } from '@albedo/device-link/device-link';
import { RareLog } from '@albedo/device-link/rare-log';
import type { Logger } from 'pino';
import { IntervalSet, type Ledger, type StoredStream } from '../completeness/completeness.service.ts';
import { hasTimeOfArrival } from '../forecast-tables/forecast-tables.service.ts';
import type { Tenure } from '../shards/shards.service.ts';
import { RefusedBlocks, type TelemetryBlock } from '../telemetry/telemetry.service.ts';
import { isDataFault } from './ingest.faults.ts';
import type { IngestLimits } from './ingest.limits.ts';
import type { IngestMetrics } from './ingest.metrics.ts';
import type { IngestQueue, WaitingBatch } from './ingest.queue.ts';
import { numbersOf, rangesOfAll, sortRepeats } from './ingest.reused.ts';

/** Where events go. `insert` resolves when they are durable; the same token twice is stored once. */
export interface TelemetrySink {
  insert(blocks: TelemetryBlock[], token: string): Promise<void>;
  /** Those rows of a block that are stored already: under the same number, with the same time and values. */
  held(block: TelemetryBlock): Promise<ReadonlySet<BatchRow>>;
}

export interface IngestWriterOptions {
  link: DeviceLink;
  telemetry: TelemetrySink;
  ledger: Ledger;
  tenure: Tenure;
  log: Logger;
  queue: IngestQueue;
  limits: IngestLimits;
  metrics: IngestMetrics;
}

const RETRY_MS = { first: 250, last: 10_000 };
const DRAIN_LOOK_MS = 10;

/**
 * Brings batches into the store, one insert at a time. What failed is tried again as the very same block with the same
 * token, so that an insert that did arrive counts once; nothing is acknowledged before it is durable.
 */
export class IngestWriter {
  readonly #options: IngestWriterOptions;
  /** Tokens of another life of this process never meet these. */
  readonly #life = randomUUID();
  readonly #troubles = new RareLog();
  #blocks = 0;
  #wake: (() => void) | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** The timer of the oldest batch has fired. The clock of the machine may say otherwise: it can be set back. */
  #isTimeUp = false;
  #stopping = new AbortController();
  #isDraining = false;
  #drains = 0;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: IngestWriterOptions) {
    this.#options = options;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Writes what waits, but no longer than the limit allows. */
  async stop(): Promise<void> {
    this.#isDraining = true;
    this.#wake?.();
    const { signal } = this.#stopping;
    const giveUp = setTimeout(() => this.#stopping.abort(), this.#options.limits.drainMs);
    // An insert that hangs is left behind: nobody was told that it is safe.
    await Promise.race([this.#loop, new Promise((gone) => signal.addEventListener('abort', gone))]);
    clearTimeout(giveUp);
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** Resolves when no batch of these devices waits any more, or when that takes longer than `stop` may. */
  async drain(isMeant: (device: string) => boolean): Promise<void> {
    const { queue, limits } = this.#options;
    const deadline = performance.now() + limits.drainMs;
    this.#drains++;
    try {
      while (queue.holds(isMeant) && performance.now() < deadline) {
        this.#wake?.();
        await sleep(DRAIN_LOOK_MS);
      }
    } finally {
      this.#drains--;
    }
  }

  push(batch: WaitingBatch): void {
    const { queue, limits } = this.#options;
    queue.push(batch);
    if (queue.events >= limits.flushEvents) this.#wake?.();
    else this.#wakeIn(limits.flushMs);
  }

  async #run(): Promise<void> {
    const { queue, limits, metrics } = this.#options;
    while (!this.#stopping.signal.aborted) {
      if (!this.#isDue()) {
        if (this.#isDraining) return;
        await new Promise<void>((wake) => {
          this.#wake = wake;
        });
        this.#wake = null;
        continue;
      }
      if (this.#timer) clearTimeout(this.#timer);
      this.#timer = null;
      this.#isTimeUp = false;
      const batches = queue.take(limits.blockEvents);
      try {
        await this.#write(batches);
      } catch (err) {
        if (!this.#stopping.signal.aborted) throw err;
        const events = batches.reduce((sum, batch) => sum + batch.events, 0) + queue.events;
        this.#options.log.warn(
          { events },
          'stopped before everything was stored; the agents will send it again',
        );
        return;
      }
      queue.release(batches);
      metrics.queueBytes.set(queue.bytes);
      if (!queue.isEmpty) this.#wakeIn(queue.oldestAt + limits.flushMs - Date.now());
    }
  }

  #wakeIn(ms: number): void {
    const { flushMs } = this.#options.limits;
    this.#timer ??= setTimeout(
      () => {
        this.#isTimeUp = true;
        this.#wake?.();
      },
      Math.min(Math.max(0, ms), flushMs),
    );
  }

  #isDue(): boolean {
    const { queue, limits } = this.#options;
    if (queue.isEmpty) return false;
    // Timers may fire a moment early.
    const isOld = Date.now() - queue.oldestAt >= limits.flushMs - 5;
    return (
      this.#isDraining || this.#drains > 0 || this.#isTimeUp || isOld || queue.events >= limits.flushEvents
    );
  }

  async #write(all: WaitingBatch[]): Promise<void> {
    const { ledger, metrics } = this.#options;
    const ours = all.filter((batch) => this.#isOurs(batch));
    const isNumbered = ({ epoch, device }: WaitingBatch) => epoch === null || ledger.isNumberingSaved(device);
    if (!ours.every(isNumbered)) await this.#saveLedger();
    const batches = ours.filter(isNumbered);
    // One whose ledger is refused sends it again: until it is saved, nothing of it may be stored.
    for (const { device, ranges } of ours.filter((batch) => !isNumbered(batch)))
      for (const [from, to] of ranges) ledger.device(device).pending.remove(from, to);
    const blocks = batches.flatMap((batch) => blocksOf(batch));
    ledger.beginInsert();
    const aside: Refused[] = [];
    if (blocks.length > 0) {
      const end = metrics.insertSeconds.startTimer();
      await this.#insert(blocks, `${this.#life}-${this.#blocks++}`, aside);
      end();
    }
    // Other processes have taken what is not ours any more: they ask for it again and know it as a repeat.
    for (const batch of batches) if (this.#isOurs(batch)) this.#note(batch, aside);
    for (const batch of batches) {
      if (batch.repeats.length > 0 && this.#isOurs(batch)) await this.#settleRepeats(batch);
    }
    ledger.endInsert();
    // Gaps and what was set aside cannot be read back from the store, so they are saved before the agent forgets them.
    if (aside.length > 0 || batches.some((batch) => batch.poison.length + batch.gaps.length > 0)) {
      await this.#saveLedger();
    }
    this.#acknowledge(batches.filter((batch) => this.#isOurs(batch) && !ledger.isRefused(batch.device)));
  }

  #saveLedger(): Promise<void> {
    return this.#insist('the ledger could not be saved', () => this.#options.ledger.checkpoint());
  }

  /**
   * Asked after the events have become durable, so that whoever takes the device next finds in the store all that was
   * acknowledged before.
   */
  #isOurs({ device, tenure }: WaitingBatch): boolean {
    return this.#options.tenure.of(device) === tenure;
  }

  /** Stores rows that came with numbers of other events, under numbers of their own; what is a repeat needs nothing. */
  async #settleRepeats(batch: WaitingBatch): Promise<void> {
    const { ledger, telemetry, metrics } = this.#options;
    const { device, outbox } = batch;
    const numbers = ledger.device(device);
    for (const block of blocksOf(batch, batch.repeats)) {
      const sort = async (rows: BatchRow[]) => {
        let sorted: Awaited<ReturnType<typeof sortRepeats>> = { rows: [], unnumbered: [] };
        await this.#insist('the telemetry store does not say what it holds', async () => {
          sorted = await sortRepeats(
            { ...block, rows },
            {
              held: (asked) => telemetry.held(asked),
              aliasesOf: (id) => numbers.numbers.aliasesOf(id),
              isDone: (id) => numbers.done.has(id),
            },
          );
        });
        return sorted;
      };
      let { rows, unnumbered } = await sort(block.rows);
      if (unnumbered.length > 0) {
        ledger.addAliases(device, outbox, rangesOfAll(unnumbered));
        // The same numbers must be given again when this is broken off and the batch comes again.
        await this.#saveLedger();
        if (!this.#isOurs(batch) || ledger.isRefused(device)) return;
        ({ rows } = await sort(block.rows));
      }
      if (rows.length === 0) continue;
      const aside: Refused[] = [];
      const stored = { ...batch, poison: [], gaps: [], events: rows.length, ranges: numbersOf(rows) };
      const streams = [{ ...block.stream, rows }];
      await this.#insert([{ ...block, rows }], `${this.#life}-${this.#blocks++}`, aside);
      if (!this.#isOurs(batch)) return;
      this.#note({ ...stored, streams }, aside);
      metrics.reused.inc(rows.length);
    }
  }

  /** Inserts blocks; rows that the store refuses for what they are are found, by halving if need be, and set aside. */
  async #insert(blocks: TelemetryBlock[], token: string, aside: Refused[]): Promise<void> {
    const { telemetry } = this.#options;
    let fault: Error | null = null;
    await this.#insist('the telemetry store takes nothing', async () => {
      try {
        await telemetry.insert(blocks, token);
      } catch (error) {
        if (!isDataFault(error)) throw error;
        fault = error;
      }
    });
    if (fault !== null) {
      const { refused, rest } = divide(blocks, fault);
      for (const block of refused) {
        aside.push({ block, reason: `the store refuses it: ${(fault as Error).message.slice(0, 300)}` });
      }
      for (const [at, part] of rest.entries()) await this.#insert(part, `${token}.${at}`, aside);
    }
  }

  /** Tries until it works; rejects only when the process stops. Says so in the log, once a minute. */
  async #insist(trouble: string, work: () => Promise<void>): Promise<void> {
    const { log, metrics, queue } = this.#options;
    const { signal } = this.#stopping;
    for (let waitMs = RETRY_MS.first; ; waitMs = Math.min(waitMs * 2, RETRY_MS.last)) {
      try {
        return await work();
      } catch (err) {
        metrics.failures.inc();
        if (this.#troubles.pass(trouble)) {
          log.error(
            { err, waitingBytes: queue.bytes },
            `${trouble}; nothing is acknowledged and it is tried again`,
          );
        }
      }
      await sleep(waitMs, undefined, { signal });
    }
  }

  #note(batch: WaitingBatch, aside: readonly Refused[]): void {
    const { ledger, metrics } = this.#options;
    const { device, receivedAt } = batch;
    const refused = aside.filter((one) => batch.streams.some((stream) => holds(batch, stream, one)));
    const refusedIds = new Set(refused.flatMap(({ block }) => block.rows.map(([id]) => id)));
    for (const poison of [...batch.poison, ...refused.map(poisonOf)]) {
      metrics.setAside.inc(poison.msgIds.length);
      ledger.setAside({ ...poison, device, receivedAt, topic: topicOf(device, 'batch') }, poison);
    }
    if (batch.events > 0) {
      const counts = batch.streams.map((stream) => storedStream(stream, refusedIds));
      ledger.noteStored(
        device,
        batch.ranges,
        counts.filter(({ events }) => events > 0),
      );
      metrics.events.inc(batch.events - refusedIds.size);
      metrics.points.inc(pointsOf(batch));
    }
    if (batch.gaps.length > 0) ledger.noteGaps(device, batch.gaps);
  }

  /** One message for each device and outbox, whatever number of batches it answers. */
  #acknowledge(batches: readonly WaitingBatch[]): void {
    const { link, metrics } = this.#options;
    const now = Date.now();
    const acks = new Map<string, { batch: WaitingBatch; ranges: IntervalSet; gaps: number[] }>();
    for (const batch of batches) {
      const key = `${batch.device}\n${batch.outbox}\n${batch.epoch ?? ''}`;
      const ack = acks.get(key) ?? { batch, ranges: new IntervalSet(), gaps: [] };
      acks.set(key, ack);
      for (const [from, to] of batch.ackRanges) ack.ranges.add(from, to);
      for (const gap of batch.gaps) ack.gaps.push(gap.from);
      metrics.ackSeconds.observe((now - batch.receivedAt) / 1000);
    }
    for (const { batch, ranges, gaps } of acks.values()) {
      const epoch = batch.epoch === null ? {} : { epoch: batch.epoch };
      const message = { outbox: batch.outbox, ...epoch, ranges: [...ranges], gaps };
      void link.publish(batch.device, 'ack', JSON.stringify(message));
    }
  }
}

/** Rows that the store will never take. */
interface Refused {
  block: TelemetryBlock;
  reason: string;
}

const blocksOf = (batch: WaitingBatch, streams = batch.streams): TelemetryBlock[] =>
  streams.map(({ table, source, fields, rows }) => ({
    workgroup: batch.workgroup,
    device: batch.device,
    stream: { table, source, fields },
    rows,
  }));

/** What the store refuses for certain, and what is to be tried apart. */
function divide(
  blocks: TelemetryBlock[],
  fault: Error,
): { refused: readonly TelemetryBlock[]; rest: TelemetryBlock[][] } {
  if (fault instanceof RefusedBlocks) {
    const rest = blocks.filter((block) => !fault.blocks.includes(block));
    // A fault that names nothing that was sent would otherwise be tried for ever.
    if (rest.length < blocks.length) return { refused: fault.blocks, rest: rest.length > 0 ? [rest] : [] };
  }
  const [first] = blocks;
  if (!first || blocks.length > 1) {
    const middle = blocks.length >> 1;
    return { refused: [], rest: [blocks.slice(0, middle), blocks.slice(middle)] };
  }
  const { rows } = first;
  if (rows.length <= 1) return { refused: blocks, rest: [] };
  const middle = rows.length >> 1;
  const part = (some: TelemetryBlock['rows']) => [{ ...first, rows: some }];
  return { refused: [], rest: [part(rows.slice(0, middle)), part(rows.slice(middle))] };
}

function holds(batch: WaitingBatch, stream: WaitingBatch['streams'][number], { block }: Refused): boolean {
  const { device, rows, stream: of } = block;
  return (
    device === batch.device &&
    of.table === stream.table &&
    of.source === stream.source &&
    rows[0] !== undefined &&
    stream.rows.includes(rows[0])
  );
}

const poisonOf = ({ block, reason }: Refused) => ({
  table: block.stream.table,
  source: block.stream.source,
  reason,
  msgIds: block.rows.map(([id]) => id),
  sample: JSON.stringify(block.rows[0]).slice(0, 4096),
});

function storedStream(
  { table, source, fields, rows }: WaitingBatch['streams'][number],
  refused: ReadonlySet<number | undefined>,
): StoredStream {
  const isAhead = hasTimeOfArrival({ fields });
  let [events, firstEventAt, lastEventAt] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [id, eventAt] of rows) {
    if (refused.size > 0 && refused.has(id)) continue;
    events++;
    if (eventAt < firstEventAt) firstEventAt = eventAt;
    if (eventAt > lastEventAt) lastEventAt = eventAt;
  }
  return { table, source, events, ahead: isAhead ? events : 0, firstEventAt, lastEventAt };
}

function pointsOf(batch: WaitingBatch): number {
  let points = 0;
  for (const { rows } of batch.streams) {
    for (const row of rows) for (let at = 2; at < row.length; at++) if (row[at] !== null) points++;
  }
  return points;
}
