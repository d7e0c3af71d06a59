import { zstdCompressSync } from 'node:zlib';
import { ExchangeEnd } from '@albedo/contract/link/link.exchange';
import { decodeFrame, encodeFrame, type FrameHeader } from '@albedo/contract/link/link.frames';
import {
  type Batch,
  type BatchStream,
  outboxStart,
  type RequestMessage,
} from '@albedo/contract/link/link.messages';
import { topicOf, type UpChannel } from '@albedo/contract/link/link.topics';
import { connectAsync, type MqttClient } from 'mqtt';
import type { TestCloud } from './test-cloud.ts';

/** A device that speaks over the real device link with a certificate of its own. */
export interface FakeAgent {
  id: string;
  /** Requests of the cloud, as they come. */
  requests: RequestMessage[];
  /** Called with every request. */
  onRequest(answer: (request: RequestMessage) => void): void;
  publish(channel: UpChannel, message: unknown): Promise<void>;
  /** Anything to any topic; rejects when the cloud ends the connection for it. */
  publishRaw(topic: string, payload: Buffer | string): Promise<void>;
  readonly isConnected: boolean;
  /** Sends events as one batch, numbered from where the last one ended. */
  send(
    streams: { table: string; source: string; fields: BatchStream['fields']; rows: unknown[][] }[],
  ): Promise<void>;
  /** Resolves when the cloud has acknowledged everything that was sent. */
  acknowledged(): Promise<void>;
  leave(): Promise<void>;
}

/** Answers what the cloud asks; throws where the device is unable to. */
export type Answers = (kind: string, input: never) => unknown;

/** An answer that has bytes before it. */
export class BytesAnswer {
  readonly bytes: Uint8Array;
  readonly result: unknown;

  constructor(bytes: Uint8Array, result: unknown) {
    this.bytes = bytes;
    this.result = result;
  }
}

/** Thrown by a device that has too much to do just now. */
export class Busy extends Error {}

/** Makes a device in the workgroup, or takes one that is there, and connects as it. */
export async function connectAgent(
  test: Pick<TestCloud, 'cloud'>,
  workgroup = 'main',
  name = 'Agent',
  { device, answers }: { device?: string; answers?: Answers } = {},
): Promise<FakeAgent> {
  const { devices, certificates } = test.cloud.features;
  const id = device ?? (await devices.create(workgroup, { name, arch: 'arm64', ced: false }, null)).id;
  const { certPem, keyPem } = await certificates.issue(id, workgroup);
  const client = await connectAsync({
    protocol: 'mqtts',
    host: 'localhost',
    port: test.cloud.mqttPort ?? 0,
    ca: certificates.caPem,
    cert: certPem,
    key: keyPem,
    protocolVersion: 4,
    reconnectPeriod: 0,
    clientId: id,
  });
  const agent = new Connected(id, client, answers);
  const down = ['request', 'ack', ...(answers ? (['ask'] as const) : [])] as const;
  await client.subscribeAsync(
    down.map((channel) => topicOf(id, channel)),
    { qos: 1 },
  );
  return agent;
}

class Connected implements FakeAgent {
  readonly id: string;
  readonly requests: RequestMessage[] = [];
  readonly #client: MqttClient;
  readonly #unacknowledged = new Set<number>();
  #answer: (request: RequestMessage) => void = () => {};
  #idle: (() => void)[] = [];
  #nextId = outboxStart(Date.now());

  readonly #exchanges = new Map<string, ExchangeEnd>();

  constructor(id: string, client: MqttClient, answers: Answers | undefined) {
    this.id = id;
    this.#client = client;
    client.on('message', (topic, payload) => {
      if (topic === topicOf(id, 'ask')) {
        this.#asked(payload, answers);
        return;
      }
      const message = JSON.parse(payload.toString()) as RequestMessage & { ranges: [number, number][] };
      if (topic === topicOf(id, 'ack')) this.#acknowledge(message.ranges);
      else {
        this.requests.push(message);
        this.#answer(message);
      }
    });
  }

  onRequest(answer: (request: RequestMessage) => void): void {
    this.#answer = answer;
    for (const request of this.requests) answer(request);
  }

  async publish(channel: UpChannel, message: unknown): Promise<void> {
    await this.#client.publishAsync(topicOf(this.id, channel), JSON.stringify(message), { qos: 1 });
  }

  async publishRaw(topic: string, payload: Buffer | string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const ended = () => reject(new Error('the connection ended'));
      this.#client.once('close', ended);
      this.#client.publish(topic, payload, { qos: 1 }, (error) => {
        this.#client.off('close', ended);
        if (error) reject(error);
        else resolve();
      });
    });
  }

  get isConnected(): boolean {
    return this.#client.connected;
  }

  async send(streams: Parameters<FakeAgent['send']>[0]): Promise<void> {
    const numbered = streams.map((stream) => ({
      ...stream,
      rows: stream.rows.map((row) => {
        this.#unacknowledged.add(this.#nextId);
        return [this.#nextId++, ...row] as BatchStream['rows'][number];
      }),
    }));
    const batch: Batch = { v: 1, outbox: 'a', streams: numbered, gaps: [] };
    const payload = zstdCompressSync(JSON.stringify(batch));
    await this.#client.publishAsync(topicOf(this.id, 'batch'), payload, { qos: 1 });
  }

  async acknowledged(): Promise<void> {
    if (this.#unacknowledged.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  async leave(): Promise<void> {
    await this.#client.endAsync(true);
  }

  #asked(payload: Buffer, answers: Answers | undefined): void {
    const frame = decodeFrame(payload);
    if (!frame) return;
    const { header } = frame;
    if (header.t !== 'open') {
      this.#exchanges.get(header.id)?.receive(frame);
      return;
    }
    const { id } = header;
    const send = (own: FrameHeader, bytes?: Uint8Array) => {
      this.#client.publish(topicOf(this.id, 'answer'), Buffer.from(encodeFrame(own, bytes)), { qos: 1 });
      return true;
    };
    const end = new ExchangeEnd({
      id,
      send,
      onFrame: (_header, bytes) => end.taken(bytes.length),
      onBroken: () => {},
    });
    this.#exchanges.set(id, end);
    try {
      const answer = answers?.(header.kind, header.input as never);
      if (answer instanceof BytesAnswer) {
        const said = end.write(answer.bytes).then(() => end.say({ t: 'done', result: answer.result }));
        // The cloud ends what it does not want.
        said.catch(() => {});
      } else void end.say({ t: 'done', result: answer });
    } catch (error) {
      const failure = error instanceof Busy ? 'busy' : 'unable';
      send({ t: 'failed', id, error: failure, message: (error as Error).message });
    }
  }

  #acknowledge(ranges: [number, number][]): void {
    for (const [from, to] of ranges) for (let id = from; id <= to; id++) this.#unacknowledged.delete(id);
    if (this.#unacknowledged.size > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
