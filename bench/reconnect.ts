/**
 * An outage ends: agents that were connected come back all at once, each says what it measured meanwhile, and the bench
 * says how long that took. `node bench/reconnect.ts [--agents 1000]`
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { zstdCompressSync } from 'node:zlib';
import { outboxStart } from '@albedo/contract/link/link.messages';
import { topicOf } from '@albedo/contract/link/link.topics';
import { connectAsync, type MqttClient } from 'mqtt';
import type { AgentIdentity, FromCloud } from './ingest.messages.ts';
import { percentile } from './percentile.ts';

const { values: flags } = parseArgs({ options: { agents: { type: 'string', default: '1000' } } });
const folder = mkdtempSync(join(tmpdir(), 'albedo-bench-reconnect-'));
const cloud = fork(join(import.meta.dirname, 'ingest.cloud.ts'), [folder, flags.agents], {
  serialization: 'advanced',
});
let cloudFacts: Awaited<ReturnType<typeof ready>>;
/** Connections that had to be tried again. */
let again = 0;
try {
  cloudFacts = await ready(cloud);
  const { agents } = cloudFacts;
  const clients: MqttClient[] = [];
  for (let at = 0; at < agents.length; at += 25)
    clients.push(...(await Promise.all(agents.slice(at, at + 25).map(connect))));
  for (const client of clients) client.stream.destroy();

  const began = performance.now();
  const online: number[] = [];
  const stored: number[] = [];
  const back = await Promise.all(
    agents.map(async (agent) => {
      const client = await insist(agent);
      online.push(performance.now() - began);
      await sendOne(client, agent.id);
      stored.push(performance.now() - began);
      return client;
    }),
  );
  print(`${agents.length} agents online again`, online);
  print('and what each had measured acknowledged', stored);
  console.log(`tried again: ${again}`);
  await Promise.all(back.map((client) => client.endAsync(true)));
  cloud.send('stop');
  await new Promise((done) => cloud.once('exit', done));
} finally {
  cloud.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** As agents do, it tries again when the cloud was too busy to shake hands in time. */
async function insist(agent: AgentIdentity): Promise<MqttClient> {
  for (;;) {
    try {
      return await connect(agent);
    } catch {
      again++;
    }
  }
}

function connect({ id, certPem, keyPem }: AgentIdentity): Promise<MqttClient> {
  const { port, caPem } = cloudFacts;
  return connectAsync({
    ...{ protocol: 'mqtts', host: 'localhost', port, ca: caPem, cert: certPem, key: keyPem },
    ...{ clientId: id, protocolVersion: 4, reconnectPeriod: 0, connectTimeout: 120_000 },
  });
}

/** What it captures, and one event; resolves once the cloud has it. */
async function sendOne(client: MqttClient, id: string): Promise<void> {
  await client.subscribeAsync(topicOf(id, 'ack'), { qos: 1 });
  const acknowledged = new Promise((done) => client.once('message', done));
  const streams = [
    {
      table: 'solar',
      source: 'inv-01',
      fields: [{ name: 'power', type: 'decimal', units: 'W' }],
      rows: [[outboxStart(Date.now()), Date.now(), 1000]],
    },
  ];
  const run = Array.from({ length: 20 }, (_, at) => ({
    table: 'solar',
    source: `inv-${at} ${randomUUID()}`,
  }));
  await client.publishAsync(topicOf(id, 'meta'), JSON.stringify({ at: Date.now(), meta: { run } }), {
    qos: 1,
  });
  const batch = JSON.stringify({ v: 1, outbox: 'bench', streams, gaps: [] });
  await client.publishAsync(topicOf(id, 'batch'), zstdCompressSync(batch), { qos: 1 });
  await acknowledged;
}

function ready(child: ChildProcess): Promise<Extract<FromCloud, { kind: 'ready' }>> {
  return new Promise((done, fail) => {
    child.once('exit', (code) => fail(new Error(`The cloud ended with ${code}.`)));
    child.on('message', (message: FromCloud) => {
      if (message.kind === 'ready') done(message);
    });
  });
}

function print(what: string, times: number[]): void {
  const [p50, p99, last] = [0.5, 0.99, 1].map((part) => (percentile(times, part) / 1000).toFixed(1));
  console.log(`${what}: half after ${p50} s, 99 % after ${p99} s, all after ${last} s`);
}
