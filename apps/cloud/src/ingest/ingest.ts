import {
  type EpochGrant,
  liveMessage,
  metaMessage,
  replyMessage,
  statusMessage,
} from '@albedo/contract/link/link.messages';
import { shardOf, topicOf, type UpChannel } from '@albedo/contract/link/link.topics';
import type { MessageChannel as AnyChannel, DeviceLink } from '@albedo/device-link/device-link';
import { RareLog } from '@albedo/device-link/rare-log';
import { parseStorable } from '@albedo/postgres/storable';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { z } from 'zod';
import type { Bus } from '../bus/bus.ts';
import type { Topic } from '../bus/topic.ts';
import type { Ledger } from '../completeness/completeness.service.ts';
import { type Claim, type Range, rangesOf } from '../completeness/completeness.service.ts';
import type { ForecastTables } from '../forecast-tables/forecast-tables.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import { EVERY_DEVICE, type Tenure } from '../shards/shards.service.ts';
import { type CheckedStream, checkStream, type Poison } from './ingest.check.ts';
import { firstIssue, type OpenBatch, openBatch, sampleOf } from './ingest.decode.ts';
import { INGEST_LIMITS, type IngestLimits } from './ingest.limits.ts';
import { type IngestMetrics, ingestMetrics } from './ingest.metrics.ts';
import { IngestQueue } from './ingest.queue.ts';
import { eventsArrived, liveSaid, metaSaid, replySaid, type Said, statusSaid } from './ingest.topics.ts';
import { IngestWriter, type TelemetrySink } from './ingest.writer.ts';

export interface IngestOptions {
  link: DeviceLink;
  registry: Pick<DeviceRegistry, 'known' | 'find'>;
  telemetry: TelemetrySink;
  ledger: Ledger;
  forecasts: Pick<ForecastTables, 'has'>;
  log: Logger;
  metrics: Registry;
  bus: Bus;
  /** Which devices this process takes from; all of them when it shares them with nobody. */
  tenure?: Tenure;
  limits?: Partial<IngestLimits>;
}

type MessageChannel = Exclude<AnyChannel, 'answer'>;

const MESSAGES = {
  status: statusMessage,
  meta: metaMessage,
  live: liveMessage,
  reply: replyMessage,
} as const;
const TOPICS = { status: statusSaid, meta: metaSaid, live: liveSaid, reply: replySaid } as const;
/** These are saved together with those of other devices; the others are handed on as they came. */
const SAVED: ReadonlySet<keyof typeof TOPICS> = new Set(['status', 'meta']);
type Messages = { [C in keyof typeof MESSAGES]: z.output<(typeof MESSAGES)[C]> };

/** Rubbish of one device that is kept in this time, ms; more is only counted. */
const RUBBISH_EVERY_MS = 1000;

/**
 * Takes what devices send: decodes and checks it, drops repeats, hands batches to the store in large blocks and
 * acknowledges them when they are durable. Nothing a device sends can stop what others send, or what it sends next.
 */
export class Ingest {
  readonly #options: IngestOptions;
  readonly #limits: IngestLimits;
  readonly #tenure: Tenure;
  readonly #metrics: IngestMetrics;
  readonly #queue: IngestQueue;
  readonly #writer: IngestWriter;
  readonly #rubbishAt = new RareLog(RUBBISH_EVERY_MS);
  readonly #pausedAt = new RareLog(1000);
  readonly #strangers = new RareLog();
  #isOpen = false;

  constructor(options: IngestOptions) {
    this.#options = options;
    this.#limits = { ...INGEST_LIMITS, ...options.limits };
    this.#tenure = options.tenure ?? EVERY_DEVICE;
    this.#metrics = ingestMetrics(options.metrics);
    this.#queue = new IngestQueue({
      bytes: this.#limits.queueBytes,
      deviceBytes: this.#limits.queueBytes / 4,
    });
    this.#writer = new IngestWriter({
      ...options,
      tenure: this.#tenure,
      queue: this.#queue,
      limits: this.#limits,
      metrics: this.#metrics,
    });
    options.link.onMessage((device, channel, payload) => this.#take(device, channel, payload));
  }

  /** The ledger is started before. */
  start(): void {
    this.#isOpen = true;
    this.#writer.start();
  }

  /** Takes nothing more and brings what waits into the store; what does not get there in time the agents send again. */
  async stop(): Promise<void> {
    this.#isOpen = false;
    await this.#writer.stop();
  }

  /** Resolves when everything of these shards that was taken is stored and acknowledged, as far as time allows. */
  drain(shards: readonly string[]): Promise<void> {
    const meant = new Set(shards);
    return this.#writer.drain((device) => meant.has(shardOf(device)));
  }

  #take(device: string, channel: AnyChannel, payload: Buffer): void {
    // Exchanges are the room of `device-asks`.
    if (!this.#isOpen || channel === 'answer') return;
    const known = this.#options.registry.known(device);
    if (known) this.#takeFrom(device, known.workgroup, channel, payload);
    else void this.#takeFromStranger(device, channel, Buffer.from(payload));
  }

  /** Another process may have made the device a moment ago. */
  async #takeFromStranger(device: string, channel: MessageChannel, payload: Buffer): Promise<void> {
    const { log, registry } = this.#options;
    try {
      const found = await registry.find(device);
      if (found) this.#takeFrom(device, found.workgroup, channel, payload);
      else if (this.#strangers.pass(device)) {
        log.warn({ device, channel }, 'a device that is not registered sends messages; they are dropped');
      }
    } catch (err) {
      log.error({ err, device }, 'a device could not be looked up; it will send again');
    }
  }

  #takeFrom(device: string, workgroup: string, channel: MessageChannel, payload: Buffer): void {
    const tenure = this.#tenure.of(device);
    if (tenure === null) return;
    if (channel === 'batch') this.#takeBatch({ device, workgroup, tenure }, payload);
    else this.#takeMessage(device, channel, payload);
  }

  #takeMessage<C extends keyof Messages>(device: string, channel: C, payload: Buffer): void {
    let value: unknown;
    try {
      const text = payload.toString('utf8');
      value = SAVED.has(channel) ? parseStorable(text) : JSON.parse(text);
    } catch {
      this.#rubbish(device, channel, 'the message is not JSON', sampleOf(payload));
      return;
    }
    const parsed = MESSAGES[channel].safeParse(value);
    if (!parsed.success) {
      this.#rubbish(
        device,
        channel,
        `the message does not fit: ${firstIssue(parsed.error)}`,
        sampleOf(payload),
      );
      return;
    }
    if (channel === 'status') this.#takeStatus(device, parsed.data as Messages['status']);
    const topic = TOPICS[channel] as Topic<Said<Messages[C]>>;
    void this.#options.bus.publish(topic, { device, message: parsed.data as Messages[C] });
  }

  #takeStatus(device: string, status: Messages['status']): void {
    const { outbox, epochs, ackedId, ackedEpoch } = status;
    if (epochs && !this.#admit(device, { outbox, epochs, ackedId, ackedEpoch })) return;
    this.#options.ledger.noteStatus(device, status);
  }

  /** Whether the outbox may number the events of the device; told what to do where it may not. */
  #admit(device: string, claim: Claim): boolean {
    const grant = this.#options.ledger.admit(device, claim, Date.now());
    if (grant) void this.#grant(device, claim.outbox, grant);
    return grant === null;
  }

  /** A grant is saved before the device hears of it: one that was forgotten would look like the start of a copied disk. */
  async #grant(device: string, outbox: string, grant: EpochGrant): Promise<void> {
    const { ledger, link, log } = this.#options;
    try {
      if (!ledger.isNumberingSaved(device)) await ledger.checkpoint();
      if (!ledger.isNumberingSaved(device)) throw new Error('the ledger of the device could not be saved');
      const ack = { outbox, epoch: grant.for, ranges: [], gaps: [], grant };
      await link.publish(device, 'ack', JSON.stringify(ack));
    } catch (err) {
      log.error(
        { err, device },
        'a device could not be given new numbers; it asks again with its next batch',
      );
    }
  }

  #takeBatch(from: Sender, payload: Buffer): void {
    const { device } = from;
    this.#metrics.batches.inc();
    this.#metrics.bytes.inc(payload.length);
    if (!this.#queue.hasRoomFor(device)) {
      this.#pause(device);
      return;
    }
    const batch = openBatch(payload);
    if ('reason' in batch) this.#rubbish(device, 'batch', batch.reason, batch.sample);
    else this.#takeOpen(from, batch);
  }

  #takeOpen({ device, workgroup, tenure }: Sender, batch: OpenBatch): void {
    const now = Date.now();
    const { outbox, epochs, acked } = batch;
    if (epochs && !this.#admit(device, { outbox, epochs, ...acked })) return;
    this.#options.ledger.device(device).noteOutbox(outbox, now);
    const { forecasts } = this.#options;
    const { streams, poison } = checkAll(batch, now, (table) => forecasts.has(workgroup, table));
    const { fresh, ranges, ackRanges, repeats } = this.#sift(device, streams, poison);
    for (const { rows } of repeats) this.#metrics.repeats.inc(rows.length);
    const events = fresh.reduce((sum, stream) => sum + stream.rows.length, 0);
    this.#options.ledger.device(device).notePending(ranges);
    this.#writer.push({
      device,
      workgroup,
      tenure,
      outbox,
      epoch: epochs?.at(-1)?.[0] ?? null,
      receivedAt: now,
      bytes: batch.bytes,
      events,
      streams: fresh,
      repeats,
      ranges,
      ackRanges,
      poison,
      gaps: batch.gaps,
    });
    this.#metrics.queueBytes.set(this.#queue.bytes);
    if (events > 0) void this.#options.bus.publish(eventsArrived, { workgroup, device, streams: fresh });
  }

  /** Parts rows that are neither stored nor on their way, each once, from those whose numbers are known. */
  #sift(device: string, streams: CheckedStream[], poison: Poison[]): Sifted {
    const ledger = this.#options.ledger.device(device);
    const numbers: number[] = [];
    for (const stream of streams) for (const row of stream.rows) numbers.push(row[0]);
    const ranges = rangesOf(numbers);
    const [first, last] = [ranges[0]?.[0] ?? 0, ranges.at(-1)?.[1] ?? -1];
    const distinct = ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
    const isAllNew = ledger.done.isFreeOf(first, last) && ledger.pending.isFreeOf(first, last);
    const aside = poison.flatMap((one) => one.msgIds);
    if (isAllNew && distinct === numbers.length) {
      const ackRanges = aside.length > 0 ? rangesOf([...numbers, ...aside]) : ranges;
      return { fresh: streams, ranges, ackRanges, repeats: [] };
    }
    const seen = new Set<number>();
    const acked = aside;
    const fresh: CheckedStream[] = [];
    const repeats: CheckedStream[] = [];
    for (const stream of streams) {
      const again: CheckedStream['rows'] = [];
      const rows = stream.rows.filter((row) => {
        const [id] = row;
        const isNew = !ledger.done.has(id) && !ledger.pending.has(id) && !seen.has(id);
        if (isNew) seen.add(id);
        else again.push(row);
        return isNew;
      });
      if (rows.length > 0) fresh.push({ ...stream, rows });
      if (again.length > 0) repeats.push({ ...stream, rows: again });
      for (const [id] of again) acked.push(id);
    }
    const kept = [...seen];
    return { fresh, ranges: rangesOf(kept), ackRanges: rangesOf([...kept, ...acked]), repeats };
  }

  #pause(device: string): void {
    this.#metrics.refused.inc();
    if (!this.#pausedAt.pass(device)) return;
    const { ledger, link } = this.#options;
    const pauseMs = Math.round(this.#limits.pauseMs * (1 + Math.random()));
    const message = { outbox: ledger.device(device).outbox ?? '', ranges: [], gaps: [], pauseMs };
    void link.publish(device, 'ack', JSON.stringify(message));
  }

  #rubbish(device: string, channel: UpChannel, reason: string, sample: string): void {
    this.#metrics.rubbish.inc();
    if (!this.#rubbishAt.pass(device)) return;
    const { ledger, log } = this.#options;
    ledger.keep({
      device,
      receivedAt: Date.now(),
      topic: topicOf(device, channel),
      reason,
      msgIds: [],
      sample,
    });
    if (this.#strangers.pass(`${device}\n${reason}`)) {
      log.warn({ device, channel }, `a message was set aside: ${reason}`);
    }
  }
}

/** A device that a batch came from. */
interface Sender {
  device: string;
  workgroup: string;
  tenure: number;
}

interface Sifted {
  fresh: CheckedStream[];
  ranges: Range[];
  ackRanges: Range[];
  repeats: CheckedStream[];
}

function checkAll(
  batch: OpenBatch,
  now: number,
  holdsForecasts: (table: string) => boolean,
): { streams: CheckedStream[]; poison: Poison[] } {
  const streams: CheckedStream[] = [];
  const poison: Poison[] = [];
  for (const value of batch.streams) {
    const checked = checkStream(value, now, holdsForecasts);
    streams.push(...checked.streams);
    poison.push(...checked.poison);
  }
  return { streams, poison };
}
