/**
 * The server of `boards.web.ts`: twelve inverters with a year of values every five minutes, boards over them, and devices
 * that send live. It says where it is once it is ready, and does what it is told by messages of its parent.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { TelemetryReader } from '@albedo/cloud/telemetry/telemetry.service';
import { connectAgent, type FakeAgent } from '@albedo/cloud/testing/fake-agent';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import type { BatchRow } from '@albedo/contract/link/link.messages';
import { WORKGROUP } from './bench-cloud.ts';
import { startWithEngine } from './bench-engine.ts';
import { percentile } from './percentile.ts';

const INVERTERS = 12;
const DAYS = 365;
const STEP_MS = 5 * 60_000;
const END = Math.floor(Date.now() / 3_600_000) * 3_600_000;
const BEGIN = END - DAYS * 86_400_000;
const ROUNDS = 3;
const HELD_MS = 10_000;
/** Live: so many devices with so many fields, ten times a second: 2,000 values a second. */
const [LIVE_DEVICES, LIVE_FIELDS, LIVE_MS] = [20, 10, 100];
const STREAM = {
  table: 'inverters',
  source: 'inv',
  fields: [
    { name: 'Power', type: 'decimal' as const, units: 'W' },
    { name: 'Energy', type: 'decimal' as const, units: 'kWh' },
  ],
};
const LIVE = {
  table: 'live',
  source: 'fast',
  fields: Array.from({ length: LIVE_FIELDS }, (_, n) => ({ name: `f${n}`, type: 'decimal' as const })),
};

const engine = await startWithEngine();
const { bench, clickhouse } = engine;
const { telemetry, postgres, workgroups } = bench.cloud.features;
const agents: FakeAgent[] = [];
let isLive = false;
let isHeld = false;

for (const addon of ['entities', 'machines', 'calculations'])
  await postgres.query(
    'INSERT INTO workgroup_addons (workgroup, id, name) VALUES ($1, $2, $2) ON CONFLICT DO NOTHING',
    [WORKGROUP, addon],
  );
await workgroups.tellChanged(WORKGROUP);
const inverters: string[] = [];
for (let n = 0; n < INVERTERS; n++)
  inverters.push(
    ((await ask('POST', `devices/${WORKGROUP}`, { name: `Inverter ${n}` })) as { id: string }).id,
  );
await yesterday(async () => {
  for (const [n, device] of inverters.entries()) await feed(device, n);
});
for (let n = 0; n < LIVE_DEVICES; n++) agents.push(await connectAgent(bench, WORKGROUP, `Live ${n}`));
await Promise.all(agents.map((one, n) => sendLive(one, n)));
await Promise.all(agents.map((one) => one.acknowledged()));
const boards = await buildBoards();
await keepHours();
holdReader();

const handlers: Record<string, () => unknown> = {
  live: () => {
    isLive = true;
    void playLive();
  },
  quiet: () => {
    isLive = false;
  },
  hold: () => {
    isHeld = true;
  },
  release: () => {
    isHeld = false;
  },
  compare: compareWithSql,
  stop,
};
process.on('message', async (name: string) => {
  const result = await handlers[name]?.();
  process.send?.({ done: name, result: result ?? null });
  if (name === 'stop') process.exit(0);
});
process.send?.({ url: bench.cloud.url, token: bench.token, boards });

/** What is stored meanwhile says that it was stored a day ago: a year of values did not come just now. */
async function yesterday(work: () => Promise<void>): Promise<void> {
  const { now } = Date;
  Date.now = () => now() - 86_400_000;
  try {
    await work();
  } finally {
    Date.now = now;
  }
}

async function feed(device: string, n: number): Promise<void> {
  const count = (END - BEGIN) / STEP_MS;
  const rows = Array.from({ length: count }, (_, i): BatchRow => {
    const time = BEGIN + i * STEP_MS;
    const sun = Math.max(0, Math.sin(((time % 86_400_000) / 86_400_000 - 0.25) * 2 * Math.PI));
    return [i + 1, time, Math.round(sun * (1000 + n * 137)), i * 0.4 * (n + 1)];
  });
  for (let at = 0; at < rows.length; at += 20_000)
    await telemetry
      .asSystem('ingest')
      .insert(
        [{ workgroup: WORKGROUP, device, stream: STREAM, rows: rows.slice(at, at + 20_000) }],
        randomUUID(),
      );
}

/** What a portfolio that is a year old has: long ranges were asked for before. */
async function keepHours(): Promise<void> {
  const { fields, ...stream } = STREAM;
  const series = fields.map(({ name: field }) => ({ ...stream, device: inverters[0] as string, field }));
  const question = { from: BEGIN, to: END, maxPoints: 60, series };
  await ask('POST', `series/${WORKGROUP}`, question).catch(() => {});
  await telemetry.asSystem('kept hours').keepHours(undefined, true);
  // For so long the server remembers that nothing was kept.
  await wait(6000);
}

async function buildBoards(): Promise<Record<string, string>> {
  const live = agents.map(({ id }) => id);
  const of = (id: string, name: string, deviceId: string, source: string, labels: string[]) => ({
    ...{ _id: id, name, parent: 'group', labels },
    signals: { sources: [{ deviceId, source }] },
  });
  await ask('POST', `entities/${WORKGROUP}/all`, {
    entities: [
      { _id: 'group', name: 'All', meta: { timezone: 'Etc/UTC' } },
      ...inverters.map((id, n) => of(`inv${n}`, `Inverter ${n}`, id, STREAM.source, ['inverter'])),
      ...live.map((id, n) => of(`live${n}`, `Live ${n}`, id, LIVE.source, ['live'])),
    ],
  });
  const own = (field: string, n: number) => ({
    ...{ over: 'path', path: [`inv${n % INVERTERS}`], table: STREAM.table, field, combine: 'sum' },
  });
  const at = (n: number, w: number, h: number) => {
    const columns = 24 / w;
    return { x: (n % columns) * w, y: Math.floor(n / columns) * h, w, h };
  };
  const widget = (n: number, kind: string, settings: object, w = 4, h = 5) => ({
    ...{ id: `w${n}`, kind, title: `Widget ${n}`, place: at(n, w, h), settings },
  });
  const number = (n: number) =>
    widget(n, 'number', { stream: own('Energy', n), function: 'difference', hasSparkline: true });
  const line = (n: number) => widget(n, 'lines', { streams: [own('Power', n)], hasLegend: false });
  const ofYear = (n: number) => (n % 3 === 0 ? line(n) : number(n));
  const board = async (name: string, items: object[], more: object = {}, of: object = {}) => {
    const made = await ask('POST', `entityDashboards/${WORKGROUP}`, {
      ...{
        type: 'entity',
        typeId: 'group',
        name,
        board: { items, range: 'last-12-months', zone: 'Etc/UTC', ...more },
      },
      ...of,
    });
    return (made as { _id: string })._id;
  };
  const several = (count: number, make: (n: number) => object) =>
    Array.from({ length: count }, (_, n) => make(n));
  const self = (field: string) => ({ over: 'self', table: STREAM.table, field, combine: 'sum' });
  const fast = (n: number) => ({
    stream: {
      ...{
        over: 'path',
        path: [`live${n % LIVE_DEVICES}`],
        table: LIVE.table,
        field: `f${n % LIVE_FIELDS}`,
        combine: 'sum',
      },
    },
    hasSparkline: false,
  });
  const day = { range: 'last-day' };
  return {
    overview: await board('Overview', several(24, ofYear)),
    twenty: await board('Twenty', several(20, ofYear), { range: 'last-7-days' }),
    twoHundred: await board('Two hundred', several(200, ofYear), { range: 'last-7-days' }),
    empty: await board('Empty', [widget(0, 'text', { text: 'Nothing' })]),
    live: await board(
      'Live',
      several(60, (n) => widget(n, 'number', fast(n), 2, 3)),
      day,
    ),
    swapped: await board(
      'Inverter',
      several(16, (n) =>
        n % 4 === 0
          ? widget(n, 'lines', { streams: [self('Power')], hasLegend: false })
          : widget(n, 'number', { stream: self('Energy'), function: n % 2 ? 'latest' : 'difference' }),
      ),
      { range: 'last-7-days' },
      { type: 'label', typeId: 'inverter' },
    ),
    display: await display(
      await board('Wall 1', several(12, ofYear), day),
      await board('Wall 2', several(12, line), day),
    ),
  };
}

/** The token of a display that turns through two boards. */
async function display(...ids: string[]): Promise<string> {
  const wanted = { name: 'Wall', intervalS: 5, pages: ids.map((board) => ({ board })) };
  return ((await ask('POST', `displays/${WORKGROUP}`, wanted)) as { token: string }).token;
}

async function sendLive(agent: FakeAgent, n: number): Promise<void> {
  const values = LIVE.fields.map((_, i) => Math.round(Math.random() * 10_000 + n + i));
  await agent.send([{ ...LIVE, rows: [[Date.now(), ...values]] }]);
}

async function playLive(): Promise<void> {
  while (isLive) {
    const next = wait(LIVE_MS);
    await Promise.all(agents.map((one, n) => sendLive(one, n)));
    await next;
  }
}

/** While it is asked to, whoever asks for the first inverter waits. */
function holdReader(): void {
  const forCaller = telemetry.for.bind(telemetry);
  telemetry.for = (caller) => {
    const reader = forCaller(caller);
    const series: TelemetryReader['series'] = async (question, signal) => {
      const asked = [...question.series, ...(question.combined ?? []).flatMap(({ streams }) => streams)];
      if (isHeld && asked.some(({ device }) => device === inverters[0])) await wait(HELD_MS);
      return reader.series(question, signal);
    };
    return new Proxy(reader, {
      get: (of, name) => {
        const value = name === 'series' ? series : (of as unknown as Record<PropertyKey, unknown>)[name];
        return typeof value === 'function' ? value.bind(of) : value;
      },
    });
  };
}

/** What the overview asks at once, beside the same by hand, in turns: ms of wall clock and of the engine's processor. */
async function compareWithSql(): Promise<Record<'ours' | 'byHand', { ms: number; engineMs: number }>> {
  const slots = new Map(
    await clickhouse.queryRows<[string, string]>(
      `SELECT field, slot FROM telemetry.fields FINAL WHERE tbl = '${STREAM.table}' AND workgroup = '${WORKGROUP}'`,
    ),
  );
  const points = 60;
  const wanted = Array.from({ length: 24 }, (_, n) => ({
    device: inverters[n % INVERTERS] as string,
    ...(n % 3 === 0 ? { field: 'Power', fn: 'average' } : { field: 'Energy', fn: 'difference' }),
  }));
  const questions = wanted.map(({ device, field, fn }, n) => ({
    ...{
      id: String(n),
      kind: 'series',
      from: BEGIN,
      to: END,
      maxPoints: points,
      timezone: 'Etc/UTC',
      function: fn,
    },
    series: [{ streams: [{ device, table: STREAM.table, source: STREAM.source, field }] }],
  }));
  const at = (ms: number) => `fromUnixTimestamp64Milli(${ms}, 'UTC')`;
  const byHand = wanted.map(({ device, field, fn }) => {
    const slot = `n${slots.get(field)}`;
    const value =
      fn === 'average'
        ? `min(${slot}), avg(${slot}), max(${slot})`
        : `argMax(${slot}, event_time) - argMin(${slot}, event_time)`;
    return `SELECT intDiv(toUnixTimestamp64Milli(event_time), ${Math.ceil((END - BEGIN) / points)}) AS b, ${value}, count(${slot})
      FROM telemetry.events FINAL WHERE workgroup = '${WORKGROUP}' AND tbl = '${STREAM.table}' AND device = '${device}' AND source = '${STREAM.source}'
      AND event_time >= ${at(BEGIN)} AND event_time < ${at(END)} GROUP BY b ORDER BY b`;
  });
  const ours = { times: [] as number[], engineMs: 0 };
  const theirs = { times: [] as number[], engineMs: 0 };
  const spend = async (on: typeof ours | null, task: () => Promise<unknown>) => {
    const [engineBefore, started] = [engine.spentMs(), performance.now()];
    await task();
    on?.times.push(performance.now() - started);
    if (on) on.engineMs += engine.spentMs() - engineBefore;
  };
  for (let round = -1; round < ROUNDS; round++) {
    await spend(round < 0 ? null : ours, () =>
      ask('POST', `entityDashboards/${WORKGROUP}/answers`, { questions }),
    );
    await spend(round < 0 ? null : theirs, () => Promise.all(byHand.map((sql) => clickhouse.queryRows(sql))));
  }
  const told = ({ times, engineMs }: typeof ours) => ({
    ms: percentile(times, 0.5),
    engineMs: engineMs / ROUNDS,
  });
  return { ours: told(ours), byHand: told(theirs) };
}

async function stop(): Promise<void> {
  isLive = false;
  for (const one of agents) await one.leave();
  await engine.stop();
}

async function ask(method: string, path: string, body: object): Promise<unknown> {
  const reply = await fetch(`${bench.cloud.url}${API_PREFIX}/${path}`, {
    method,
    headers: { authorization: `Bearer ${bench.token}`, 'content-type': 'application/json', ...bench.forgery },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${(await reply.text()).slice(0, 300)}`);
  return reply.json();
}
