/** The agents of the ingest bench in a process of their own, controlled by a message of the parent. */
import { constants, zstdCompressSync } from 'node:zlib';
import { type AckMessage, outboxStart, type StatusMessage } from '@albedo/contract/link/link.messages';
import { topicOf } from '@albedo/contract/link/link.topics';
import { connect, type MqttClient } from 'mqtt';
import {
  type AgentIdentity,
  type FromLoad,
  type LoadResult,
  type Order,
  POINTS_AN_EVENT,
} from './ingest.messages.ts';
import { INVERTER_FIELDS, Inverter } from './telemetry.data.ts';

/** Batches of one agent that may wait for their acknowledgement; an agent at the limit collects for the next one. */
const WINDOW = 4;
const TICK_MS = 20;
/** An agent tells its status with every so many batches. */
const STATUS_EVERY = 10;
const RESEND_MS = 20_000;
/** At night an inverter says little but zeros. */
const NOON = 12 * 3_600_000;
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const tell = (message: FromLoad) => process.send?.(message);

/** An agent that makes events at a rate and sends a batch each second. */
class Agent {
  readonly id: string;
  readonly #client: MqttClient;
  readonly #inverter = new Inverter();
  readonly #waiting: { from: number; to: number; sentAt: number; payload: Buffer }[] = [];
  readonly #first = outboxStart(Date.now());
  #next = this.#first;
  #due = 0;
  #pausedUntil = 0;

  constructor(id: string, client: MqttClient) {
    this.id = id;
    this.#client = client;
    client.on('message', (_topic, payload) => this.#takeAck(JSON.parse(payload.toString()) as AckMessage));
  }

  /** Adds what was made since the last call, and sends it when the window has room. */
  tick(events: number, now: number): void {
    this.#due += events;
    const count = Math.min(Math.floor(this.#due), 2000);
    if (count === 0 || now < this.#pausedUntil) return;
    const [oldest] = this.#waiting;
    if (oldest && performance.now() - oldest.sentAt > RESEND_MS) this.#publish(oldest.payload);
    if (this.#waiting.length >= WINDOW) return;
    this.#due -= count;
    this.#send(count, now);
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** What real agents say every ten seconds. */
  tellStatus(): void {
    const pendingEvents = this.#waiting.reduce((sum, { from, to }) => sum + to - from + 1, 0);
    const captured = this.#next - this.#first;
    const status: StatusMessage = {
      at: Date.now(),
      version: 'bench',
      outbox: 'bench',
      os: null,
      sourceLastDataAt: Date.now(),
      pendingEvents,
      pendingBytes: 0,
      outboxLimitBytes: 0,
      unreadBytes: 0,
      droppedEvents: 0,
      lastMsgId: this.#next - 1,
      streams: [['solar', 'inv-01', captured, captured, 0]],
    };
    this.#client.publish(topicOf(this.id, 'status'), JSON.stringify(status), { qos: 1 });
  }

  #send(count: number, now: number): void {
    const rows: unknown[] = [];
    const from = this.#next;
    for (let at = 0; at < count; at++) {
      rows.push([this.#next++, now - (count - at), ...this.#inverter.read(NOON, 1000)]);
    }
    const streams = [{ table: 'solar', source: 'inv-01', fields: INVERTER_FIELDS, rows }];
    const payload = zstdCompressSync(JSON.stringify({ v: 1, outbox: 'bench', streams, gaps: [] }), LEVEL);
    this.#waiting.push({ from, to: this.#next - 1, sentAt: performance.now(), payload });
    totals.sent += count;
    this.#publish(payload);
  }

  #publish(payload: Buffer): void {
    this.#client.publish(topicOf(this.id, 'batch'), payload, { qos: 1 });
  }

  #takeAck({ ranges, pauseMs }: AckMessage): void {
    const now = performance.now();
    if (pauseMs !== undefined) {
      totals.pauses++;
      this.#pausedUntil = Date.now() + pauseMs;
      setTimeout(() => {
        for (const batch of this.#waiting) this.#publish(batch.payload);
      }, pauseMs);
    }
    for (const [from, to] of ranges) {
      let first = this.#waiting[0];
      while (first && first.from >= from && first.to <= to) {
        const ms = now - first.sentAt;
        totals.acked += first.to - first.from + 1;
        totals.latencies.push(ms);
        recent.push(ms);
        this.#waiting.shift();
        first = this.#waiting[0];
      }
    }
  }
}

const totals = { sent: 0, acked: 0, pauses: 0, latencies: [] as number[] };
let recent: number[] = [];

const quantile = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;

function connectAgent({ id, certPem, keyPem }: AgentIdentity, { port, caPem }: Order): Promise<Agent> {
  return new Promise((done, fail) => {
    const client = connect({
      protocol: 'mqtts',
      host: 'localhost',
      port,
      ca: caPem,
      cert: certPem,
      key: keyPem,
      keepalive: 60,
    });
    client.once('error', fail);
    client.once('connect', async () => {
      await client.subscribeAsync(topicOf(id, 'ack'), { qos: 1 });
      done(new Agent(id, client));
    });
  });
}

async function run(order: Order): Promise<void> {
  const began = performance.now();
  const agents: Agent[] = [];
  for (let at = 0; at < order.agents.length; at += 25) {
    agents.push(
      ...(await Promise.all(order.agents.slice(at, at + 25).map((one) => connectAgent(one, order)))),
    );
  }
  tell({ kind: 'connected', seconds: (performance.now() - began) / 1000 });
  const result = await load(agents, order);
  tell({ kind: 'result', result });
}

/** Every agent sends once a second, each at its own moment. */
async function load(agents: Agent[], { seconds, pointsPerSecond }: Order): Promise<LoadResult> {
  const eventsPerTurn = pointsPerSecond / POINTS_AN_EVENT / agents.length;
  const cpu = process.cpuUsage();
  const began = performance.now();
  let turns = 0;
  let toldAt = began;
  await new Promise<void>((done) => {
    const timer = setInterval(() => {
      const now = performance.now();
      const dueTurns = Math.floor(((now - began) / 1000) * agents.length);
      for (; turns < dueTurns; turns++) {
        const agent = agents[turns % agents.length];
        agent?.tick(eventsPerTurn, Date.now());
        if (Math.floor(turns / agents.length) % STATUS_EVERY === turns % STATUS_EVERY) agent?.tellStatus();
      }
      if (now - toldAt >= 5000) {
        toldAt = now;
        const waiting = agents.reduce((sum, agent) => sum + agent.waiting, 0);
        tell({
          kind: 'progress',
          points: totals.acked * POINTS_AN_EVENT,
          waiting,
          p99Ms: quantile(recent, 0.99),
        });
        recent = [];
      }
      if (now - began >= seconds * 1000) {
        clearInterval(timer);
        done();
      }
    }, TICK_MS);
  });
  const [ended, acked] = [performance.now(), totals.acked];
  const { user, system } = process.cpuUsage(cpu);
  while (agents.some((agent) => agent.waiting > 0) && performance.now() - ended < 60_000) {
    await new Promise((tick) => setTimeout(tick, 10));
  }
  return {
    seconds: (ended - began) / 1000,
    sentEvents: totals.sent,
    ackedEvents: acked,
    pauses: totals.pauses,
    latencies: totals.latencies,
    p50Ms: quantile(totals.latencies, 0.5),
    p99Ms: quantile(totals.latencies, 0.99),
    maxMs: quantile(totals.latencies, 1),
    drainMs: performance.now() - ended,
    cpuSeconds: (user + system) / 1e6,
  };
}

process.once('message', (order: Order) => void run(order));
