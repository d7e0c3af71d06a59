import { WORKGROUP } from './bench-cloud.ts';
import { DAY, END, HOUR, SOURCE, TABLE, YEAR } from './data.feed.ts';

/** A question as it is asked of us, and as SQL by hand of the engine and of PostgreSQL. */
export interface Question {
  name: string;
  /** ms. */
  aim: number;
  /** Its window is the same however long the history is. */
  isWindow: boolean;
  http: { method: 'GET' | 'POST'; path: string; body?: object };
  sql: string;
  postgres: string;
}

/** How many points, devices and so on a question is about is in its name. `slots` are the columns of the fields. */
export function questionsOf(
  devices: readonly string[],
  fleet: { table: string; devices: readonly string[] },
  slots: readonly string[],
): Question[] {
  const [power] = slots;
  const at = (ms: number) => `fromUnixTimestamp64Milli(${ms}, 'UTC')`;
  const instant = (ms: number) => `to_timestamp(${ms / 1000})`;
  const list = (some: readonly string[]) => some.map((id) => `'${id}'`).join(', ');
  const of = (some: readonly string[], from: number) =>
    `workgroup = '${WORKGROUP}' AND tbl = '${TABLE}' AND device IN (${list(some)})
     AND event_time >= ${at(from)} AND event_time < ${at(END)}`;
  const inPostgres = (some: readonly string[], from: number) =>
    `device IN (${list(some)}) AND source = '${SOURCE}' AND event_time >= ${instant(from)} AND event_time < ${instant(END)}`;
  const keys = (some: readonly string[], table: string = TABLE) =>
    some.map((device) => ({ device, table, source: SOURCE, field: 'AC Power' }));
  const series = (some: readonly string[], from: number, more: object): Question['http'] => ({
    method: 'POST',
    path: `series/${WORKGROUP}`,
    body: { from, to: END, series: keys(some), ...more },
  });
  const buckets = (some: readonly string[], from: number, stepMs: number) => ({
    sql: `SELECT device, source, intDiv(toUnixTimestamp64Milli(event_time), ${stepMs}) AS b, min(${power}), avg(${power}), max(${power}), count(${power})
      FROM telemetry.events FINAL WHERE ${of(some, from)} GROUP BY device, source, b ORDER BY b`,
    postgres: `SELECT device, source, date_bin('${stepMs / 1000} seconds', event_time, 'epoch') AS b, min(v0), avg(v0), max(v0), count(v0)
      FROM events WHERE ${inPostgres(some, from)} GROUP BY device, source, b ORDER BY b`,
  });
  const one = devices.slice(0, 1);
  const other = devices.slice(1, 2);
  const filters = [
    { field: 'AC Power', operator: '>', value: 20_000 },
    { field: 'device', operator: '=', value: one[0] },
  ];
  const month = END - 29 * DAY;
  const search = new URLSearchParams({ timeframe: 'last-30-days', rows: '50', sort: '-event_time' });
  for (const filter of filters) search.append('filters', JSON.stringify(filter));
  const found = `device = '${one[0]}' AND v0 > 20000 AND event_time >= ${instant(month)}`;
  const latest = (table: string) => ({
    sql: `SELECT device, source, event_time, ${power} FROM telemetry.latest FINAL WHERE workgroup = '${WORKGROUP}' AND tbl = '${table}'`,
    postgres: `SELECT d, source, event_time, v0 FROM unnest(ARRAY[${list(devices)}]::uuid[]) d,
      LATERAL (SELECT source, event_time, v0 FROM events WHERE device = d ORDER BY device DESC, source DESC, event_time DESC LIMIT 1) one`,
  });
  const path = (table: string) => `devices/${WORKGROUP}/device/latestValues?table=${table}&field=AC+Power`;
  return [
    {
      name: 'one stream, a day, raw',
      aim: 20,
      isWindow: true,
      http: series(other, END - DAY, {}),
      sql: `SELECT toUnixTimestamp64Milli(event_time), ${power} FROM telemetry.events FINAL WHERE ${of(other, END - DAY)} ORDER BY event_time`,
      postgres: `SELECT event_time, v0 FROM events WHERE ${inPostgres(other, END - DAY)} ORDER BY event_time`,
    },
    {
      name: 'one stream, a year to 1,000 points',
      aim: 40,
      isWindow: false,
      http: series(other, END - YEAR, { maxPoints: 1000 }),
      ...buckets(other, END - YEAR, 8.76 * HOUR),
    },
    {
      name: 'twelve streams, a year to 1,000 points',
      aim: 100,
      isWindow: false,
      http: series(devices.slice(0, 12), END - YEAR, { maxPoints: 1000 }),
      ...buckets(devices.slice(0, 12), END - YEAR, 8.76 * HOUR),
    },
    {
      name: '50 devices by hour, 30 days',
      aim: 100,
      isWindow: true,
      http: series(devices.slice(0, 50), END - 30 * DAY, { interval: '1h' }),
      ...buckets(devices.slice(0, 50), END - 30 * DAY, HOUR),
    },
    {
      name: 'search with two filters, newest 50 and total',
      aim: 150,
      isWindow: true,
      http: { method: 'GET', path: `tables/${WORKGROUP}/${TABLE}/search?${search}` },
      sql: `SELECT device, source, event_time, msg_id, store_time, ${slots.join(', ')}, count() OVER () FROM telemetry.events FINAL
        WHERE workgroup = '${WORKGROUP}' AND tbl = '${TABLE}' AND ${power} > 20000 AND device = '${one[0]}' AND event_time >= ${at(month)}
        ORDER BY event_time DESC LIMIT 50`,
      postgres: `SELECT * FROM events WHERE ${found} ORDER BY event_time DESC LIMIT 50; SELECT count(*) FROM events WHERE ${found}`,
    },
    {
      name: 'the newest value of each device',
      aim: 150,
      isWindow: true,
      http: { method: 'GET', path: path(TABLE) },
      ...latest(TABLE),
    },
    {
      name: `the newest value of ${fleet.devices.length} devices`,
      aim: 150,
      isWindow: true,
      http: { method: 'GET', path: path(fleet.table) },
      ...latest(fleet.table),
      postgres: '',
    },
    {
      name: `${fleet.devices.length} streams named one by one`,
      aim: 150,
      isWindow: true,
      http: {
        method: 'POST',
        path: `devices/${WORKGROUP}/device/cachedLatestValues`,
        body: { streams: keys(fleet.devices, fleet.table) },
      },
      ...latest(fleet.table),
      postgres: '',
    },
    {
      name: 'a year of a value a minute, with extremes',
      aim: 200,
      isWindow: false,
      http: series(one, END - YEAR, { maxPoints: 2000 }),
      ...buckets(one, END - YEAR, 4.38 * HOUR),
    },
  ];
}
