/**
 * What alerts add to the road of a measurement: 1,000 alerts over the rows of 10,000 devices, beside opening, checking and
 * encoding the same batches, in one run on one core.
 *
 * `node bench/alerts.ts [--devices 10000] [--alerts 1000] [--seconds 10]`: seconds of load at 20,000 values a second.
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { zstdCompressSync } from 'node:zlib';
import { Judges, judgeRows, StreamRows } from '@albedo/cloud/alerts/alert-arrivals';
import { type Rule, ruleOf } from '@albedo/cloud/alerts/alert-rules';
import { TableRules } from '@albedo/cloud/alerts/table-rules';
import { checkStream } from '@albedo/cloud/ingest/ingest.check';
import { openBatch } from '@albedo/cloud/ingest/ingest.decode';
import { newAlert } from '@albedo/contract/alerts/alerts.schema';
import type { BatchStream } from '@albedo/contract/link/link.messages';

const FIELDS = 10;
const { values: flags } = parseArgs({
  options: {
    devices: { type: 'string', default: '10000' },
    alerts: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '10' },
  },
});
const [deviceCount, alertCount, seconds] = [flags.devices, flags.alerts, flags.seconds].map(Number) as [
  number,
  number,
  number,
];
const devices = Array.from({ length: deviceCount }, () => randomUUID());
const now = Date.now();

/** One row of each device in turn, as many a second as make 20,000 values. */
const batches = Array.from({ length: (20_000 / FIELDS) * seconds }, (_, i) => {
  const stream: BatchStream = {
    table: 'inverter',
    source: 'inv-01',
    fields: Array.from({ length: FIELDS }, (_unused, field) => ({
      name: `field ${field}`,
      type: 'decimal',
      units: 'W',
    })),
    rows: [
      [
        i + 1,
        now + i,
        ...Array.from({ length: FIELDS }, (_unused, field) => ((i * 7 + field * 13) % 1000) / 3),
      ],
    ],
  };
  return {
    device: devices[i % deviceCount] ?? '',
    payload: zstdCompressSync(JSON.stringify({ v: 1, outbox: 'a', streams: [stream], gaps: [] })),
  };
});

/** `each`: devices of one alert; null for all of them. */
const rulesOf = (each: number | null): Rule[] =>
  Array.from({ length: alertCount }, (_, i) => {
    const own =
      each === null
        ? []
        : Array.from({ length: each }, (_unused, k) => devices[(i * each + k) % deviceCount] ?? '');
    const alert = newAlert.parse({
      name: `Alert ${i}`,
      kind: 'query',
      table: 'inverter',
      conditions: [{ field: `field ${i % FIELDS}`, operator: '<', value: 1 }],
      forMinutes: 5,
      scope: each === null ? { kind: 'all' } : { kind: 'devices', devices: own },
    });
    return ruleOf('bench', `alert-${i}`, alert, new Map(), () => false);
  });

/** CPU of the work, s. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const opened: { device: string; stream: BatchStream }[] = [];
const ingestS = cpuOf(() => {
  for (const { device, payload } of batches) {
    const batch = openBatch(payload);
    if ('reason' in batch) throw new Error(batch.reason);
    for (const one of batch.streams)
      for (const stream of checkStream(one, now).streams) opened.push({ device, stream });
  }
});
const print = (name: string, value: string) => console.log(`${name.padEnd(52)}${value}`);
print('opening and checking the batches, CPU', `${ingestS.toFixed(2)} s for ${seconds} s of load`);
for (const [name, rules] of [
  [`${alertCount} alerts, each over 10 devices`, rulesOf(10)],
  [`${alertCount} alerts, each over all devices`, rulesOf(null)],
] as const) {
  const tableRules = new TableRules();
  for (const rule of rules) tableRules.add(rule);
  const judges = new Judges(() => ({ isFiring: false, isUnknown: false }));
  const place = () => ({ latitudeDeg: null, longitudeDeg: null });
  const judgedS = cpuOf(() => {
    for (const { device, stream } of opened) {
      const rows = new StreamRows(device, stream);
      const { table, source } = stream;
      const of = { place, now, subjectOf: () => ({ key: device, device, table, source, name: device }) };
      for (const rule of tableRules.of(device, source)) judgeRows(rule, judges, rows, of);
    }
  });
  print(
    name,
    `${judgedS.toFixed(2)} s, ${((judgedS / seconds) * 100).toFixed(1)} % of a core, ${(judgedS / ingestS).toFixed(2)} of the above`,
  );
}
