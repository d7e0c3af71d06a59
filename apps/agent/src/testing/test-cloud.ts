import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import type { AskKind } from '@albedo/contract/link/link.asks';
import { decodeFrame, encodeFrame, type FrameHeader } from '@albedo/contract/link/link.frames';
import type { AckMessage, Batch, BatchRow, DeclaredGap } from '@albedo/contract/link/link.messages';
import type { UpChannel } from '@albedo/contract/link/link.topics';
import type { ControlOrder } from '@albedo/contract/schedules/schedules.order';
import { type EmbeddedBroker, embeddedBroker } from '@albedo/device-link/embedded-broker';
import { type Authority, openAuthority } from '@albedo/pki/authority';
import { orderOf, signed } from './orders.ts';

export interface Received {
  channel: UpChannel;
  message: Record<string, unknown>;
}

export interface StoredRow {
  table: string;
  source: string;
  eventAt: number;
  values: Record<string, unknown>;
}

/**
 * The cloud's end of the device link for tests: a real broker over mutual TLS that keeps what it is sent by number and
 * acknowledges it, as far as the test lets it.
 */
export class TestCloud {
  readonly device = crypto.randomUUID();
  readonly received: Received[] = [];
  readonly stored = new Map<number, StoredRow>();
  readonly batches: Batch[] = [];
  readonly gaps: DeclaredGap[] = [];
  readonly answers: FrameHeader[] = [];
  /** How often a number that was already stored came again. */
  repeats = 0;
  acknowledges = true;
  /** Serial numbers of certificates that are refused. */
  readonly revoked = new Set<string>();
  pauseMs: number | undefined;
  /** Takes nothing and asks for a pause, as a cloud does that is behind. */
  isBusy = false;
  readonly #folder = mkdtempSync(join(tmpdir(), 'albedo-test-cloud-'));
  #authority: Authority | null = null;
  #broker: EmbeddedBroker | null = null;
  #waiting = new Set<() => void>();
  #port = 0;

  async start(): Promise<void> {
    const authority = await openAuthority(this.#folder);
    this.#authority = authority;
    const broker = embeddedBroker({
      host: '127.0.0.1',
      port: this.#port,
      caPem: authority.caPem,
      certificate: () => authority.serverCertificate(['localhost']),
      crlPem: await authority.revocationList([]),
      isRevoked: (serial) => this.revoked.has(serial.toLowerCase()),
      log: { info: () => {}, warn: () => {}, error: () => {} },
    });
    broker.onMessage((_device, channel, payload) => this.#message(channel, Buffer.from(payload)));
    await broker.start();
    this.#port = broker.port;
    this.#broker = broker;
  }

  /** Breaks every connection; `start` takes the same port again. */
  async stop(): Promise<void> {
    await this.#broker?.stop();
    this.#broker = null;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Writes configuration and keys of an agent below `root`; `yaml` is added to the section of the link. */
  async provision(root: string, yaml = ''): Promise<void> {
    if (!this.#authority) throw new Error('start first');
    const { certPem, keyPem } = await this.#authority.issueDevice(this.device, 'test');
    const put = (path: string, text: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    put('etc/albedo/keys/ca-chain.crt', this.#authority.caPem);
    put('etc/albedo/keys/client.crt', certPem);
    put('etc/albedo/keys/client.key', keyPem);
    put('etc/albedo/albedo.yaml', `${this.linkYaml}\n${yaml}\n`);
  }

  /** Signs an order and sends it as soon as the device listens; answers what it says to that. */
  async order(given: Partial<ControlOrder>): Promise<FrameHeader> {
    if (!this.#authority) throw new Error('start first');
    const order = orderOf({ device: this.device, issuedAt: Date.now(), ...given });
    return this.askAtOnce('schedules.order', { order: await signed(order, this.#authority) });
  }

  /** Another certificate for the same device. */
  async reissue(): Promise<{ certPem: string; keyPem: string; serial: string }> {
    if (!this.#authority) throw new Error('start first');
    return this.#authority.issueDevice(this.device, 'test');
  }

  get linkYaml(): string {
    return `mqtt:
  hostname: localhost
  port: ${this.#port}
  cacertfile: /etc/albedo/keys/ca-chain.crt
  certfile: /etc/albedo/keys/client.crt
  keyfile: /etc/albedo/keys/client.key`;
  }

  async request(message: object): Promise<void> {
    await this.#broker?.publish(this.device, 'request', JSON.stringify(message));
  }

  /** Asks as soon as the device listens, and answers what it says to that. */
  async askAtOnce(kind: AskKind, input: object): Promise<FrameHeader> {
    const id = crypto.randomUUID();
    const frame = Buffer.from(encodeFrame({ t: 'open', id, kind, input, limitMs: 20_000 }));
    while (!(await this.#broker?.publish(this.device, 'ask', frame))) await setImmediate();
    const answer = () => this.answers.find((one) => one.id === id);
    await this.until(() => answer() !== undefined, 'an answer');
    return answer() as FrameHeader;
  }

  /** As another process of the cloud says that begins to listen. */
  async newListener(): Promise<void> {
    const ack: AckMessage = { outbox: '', ranges: [], gaps: [], pauseMs: 0, isNewListener: true };
    await this.#broker?.publish(this.device, 'ack', JSON.stringify(ack));
  }

  rows(table: string, source?: string): StoredRow[] {
    return [...this.stored.entries()]
      .sort(([a], [b]) => a - b)
      .map(([, row]) => row)
      .filter((row) => row.table === table && (source === undefined || row.source === source));
  }

  last(channel: UpChannel): Record<string, unknown> | undefined {
    return this.received.findLast((one) => one.channel === channel)?.message;
  }

  /** Resolves when `claim` holds; it is asked after every message. */
  async until(claim: () => boolean, what: string, timeoutMs = 10_000): Promise<void> {
    const endsAt = performance.now() + timeoutMs;
    while (!claim()) {
      const left = endsAt - performance.now();
      if (left <= 0) throw new Error(`waited in vain: ${what}`);
      await new Promise<void>((done) => {
        const timer = setTimeout(done, Math.min(left, 100));
        this.#waiting.add(() => {
          clearTimeout(timer);
          done();
        });
      });
    }
  }

  #message(channel: UpChannel, payload: Buffer): void {
    if (channel === 'batch') this.#batch(JSON.parse(zstdDecompressSync(payload).toString()));
    else if (channel === 'answer') this.answers.push(...[decodeFrame(payload)?.header ?? []].flat());
    else this.received.push({ channel, message: JSON.parse(payload.toString()) });
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  #batch(batch: Batch): void {
    this.batches.push(batch);
    if (this.isBusy) {
      const busy = { outbox: batch.outbox, ranges: [], gaps: [], pauseMs: 100 };
      void this.#broker?.publish(this.device, 'ack', JSON.stringify(busy));
    }
    if (!this.acknowledges || this.isBusy) return;
    const ids: number[] = [];
    for (const { table, source, fields, rows } of batch.streams) {
      for (const [id, eventAt, ...values] of rows as BatchRow[]) {
        if (this.stored.has(id)) this.repeats++;
        const named = Object.fromEntries(fields.map((one, at) => [one.name, values[at]]));
        this.stored.set(id, { table, source, eventAt, values: named });
        ids.push(id);
      }
    }
    this.gaps.push(...batch.gaps);
    const ack = {
      outbox: batch.outbox,
      ranges: rangesOf(ids),
      gaps: batch.gaps.map((one) => one.from),
      ...(this.pauseMs === undefined ? {} : { pauseMs: this.pauseMs }),
    };
    void this.#broker?.publish(this.device, 'ack', JSON.stringify(ack));
  }
}

function rangesOf(ids: number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const id of ids.sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] === id - 1) last[1] = id;
    else ranges.push([id, id]);
  }
  return ranges;
}
