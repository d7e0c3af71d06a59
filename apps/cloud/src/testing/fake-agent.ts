import { zstdCompressSync } from 'node:zlib';
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
  /** Sends events as one batch, numbered from where the last one ended. */
  send(
    streams: { table: string; source: string; fields: BatchStream['fields']; rows: unknown[][] }[],
  ): Promise<void>;
  /** Resolves when the cloud has acknowledged everything that was sent. */
  acknowledged(): Promise<void>;
  leave(): Promise<void>;
}

/** Makes a device in the workgroup and connects as it. */
export async function connectAgent(
  test: Pick<TestCloud, 'cloud'>,
  workgroup = 'main',
  name = 'Agent',
): Promise<FakeAgent> {
  const { devices, certificates } = test.cloud.features;
  const { id } = await devices.create(workgroup, { name, arch: 'arm64', ced: false }, null);
  const { certPem, keyPem } = await certificates.issue(id, workgroup);
  const client = await connectAsync({
    protocol: 'mqtts',
    host: 'localhost',
    port: test.cloud.mqttPort ?? 0,
    ca: certificates.caPem,
    cert: certPem,
    key: keyPem,
    protocolVersion: 5,
    reconnectPeriod: 0,
    clientId: id,
  });
  await client.subscribeAsync([topicOf(id, 'request'), topicOf(id, 'ack')], { qos: 1 });
  return new Connected(id, client);
}

class Connected implements FakeAgent {
  readonly id: string;
  readonly requests: RequestMessage[] = [];
  readonly #client: MqttClient;
  readonly #unacknowledged = new Set<number>();
  #answer: (request: RequestMessage) => void = () => {};
  #idle: (() => void)[] = [];
  #nextId = outboxStart(Date.now());

  constructor(id: string, client: MqttClient) {
    this.id = id;
    this.#client = client;
    client.on('message', (topic, payload) => {
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

  #acknowledge(ranges: [number, number][]): void {
    for (const [from, to] of ranges) for (let id = from; id <= to; id++) this.#unacknowledged.delete(id);
    if (this.#unacknowledged.size > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
