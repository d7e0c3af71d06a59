import type { ClickHouse } from '@albedo/clickhouse/client';
import { COUNTER_RULE } from '@albedo/energy/counters';
import type { FieldSlot } from './telemetry.blocks.ts';
import { Bound, slotExpression } from './telemetry.columns.ts';
import { PIECE_COLUMNS, type PieceColumn, piecesSql } from './telemetry.day-pieces.ts';
import { EVENTS, reading } from './telemetry.reading.ts';

/** What was stored so long before the last look may not have been readable then, ms. */
const MARGIN_MS = 30_000;
/** How far was looked is written down after so long, ms. */
const LOOKED_MS = 60_000;
/** Streams and days that are read at once where days are made: some hundred thousand events. */
const STREAMS = 40;
const DAYS = 31;
/** Of a statement that makes days: s. */
const LONG = { max_execution_time: 300 };

/** The days of a zone, of one table of a workgroup. */
export interface DaysOf {
  workgroup: string;
  table: string;
  zone: string;
}

/** One field of one source. */
export interface DayStream {
  device: string;
  source: string;
  slot: FieldSlot;
}

/** A day of the zone: its number since 1970, and its two ends, epoch ms. */
export interface ZoneDay {
  day: number;
  from: number;
  to: number;
}

/** What is kept of some streams: one row for each of them and day, in columns. */
export interface KeptDays {
  /** The row of a stream and a day, by `stream * days + day - from`, in the order of the streams asked for; -1 for none. */
  rows: Int32Array;
  from: number;
  days: number;
  columns: Partial<Record<PieceColumn, Float64Array | Uint32Array>>;
  /** When each row was made, epoch s. */
  made: Uint32Array;
}

/** Whole numbers; instants among them are counted from a day before the day begins in UTC. */
const WHOLE: ReadonlySet<PieceColumn> = new Set(['n', 'firstAt', 'lastAt', 'ms', 'pauses', 'usual']);
/** What an instant of a day is counted from, epoch ms. */
export const originOf = (day: number): number => (day - 1) * 86_400_000;

export const streamKey = ({ device, source, slot }: DayStream): string =>
  `${device.toLowerCase()}\n${source}\n${slot.field}`;

/**
 * Kept sums of days, by stream. They are a copy: whatever is stored later marks the days that it lies in, found by the
 * time of storing as calculations find theirs, and a marked day is read again before anybody is answered.
 *
 * Versions: a look marks with the engine's time at its beginning, and what is made afterwards is one higher, so a day that
 * was read before an event came never covers its mark.
 */
export class Days {
  readonly #clickhouse: ClickHouse;

  constructor(clickhouse: ClickHouse) {
    this.#clickhouse = clickhouse;
  }

  /**
   * Marks what was touched since the last look. Answers the engine's time, epoch ms, and the parts in which days are kept;
   * null where it has just changed them.
   */
  async look(of: DaysOf, signal?: AbortSignal): Promise<{ at: number; stamp: string | null }> {
    const bound = new Bound();
    const zone = bound.add(of.zone, 'String');
    const since = `looked - toIntervalMillisecond(${MARGIN_MS})`;
    const [row] = await this.#clickhouse.queryRows<[string, string, string, string[]]>(
      `WITH (SELECT max(looked) FROM telemetry.day_looks WHERE ${isOf(of, bound)}) AS looked
       SELECT toUnixTimestamp64Milli(now64(3)), toUnixTimestamp64Milli(looked), (SELECT count() FROM (
         SELECT 1 FROM telemetry.events WHERE ${touchedSince(of, since, 'now64(3)', zone, bound)} LIMIT 1)),
         (SELECT arraySort(groupUniqArray(_part)) FROM telemetry.days WHERE ${isOf(of, bound)})`,
      reading(bound, signal),
    );
    const [now, looked, touched] = [Number(row?.[0]), Number(row?.[1]), Number(row?.[2])];
    const isMarked = looked > 0 && touched > 0;
    if (isMarked) await this.#mark(of, looked - MARGIN_MS, now);
    if (looked <= 0 || touched > 0 || now - looked > LOOKED_MS) await this.#looked(of, now);
    return { at: now, stamp: isMarked ? null : (row?.[3] ?? []).join(' ') };
  }

  /** The engine's time, epoch ms: what was stored before can be read. */
  async now(signal?: AbortSignal): Promise<number> {
    const rows = await this.#clickhouse.queryRows<[string]>(
      'SELECT toUnixTimestamp64Milli(now64(3))',
      reading(null, signal),
    );
    return Number(rows[0]?.[0]);
  }

  /** The kept days of some streams, between two days and with both; those that are marked are left out. */
  async read(
    of: DaysOf,
    streams: readonly DayStream[],
    { from, to }: { from: number; to: number },
    columns: readonly PieceColumn[],
    signal?: AbortSignal,
  ): Promise<KeptDays> {
    const bound = new Bound();
    const distinct = (all: readonly string[]) => [...new Set(all)];
    const where = `${isOf(of, bound)}
      AND field IN ${bound.add(distinct(streams.map(({ slot }) => slot.field)), 'Array(String)')}
      AND device IN ${bound.add(distinct(streams.map(({ device }) => device.toLowerCase())), 'Array(UUID)')}
      AND source IN ${bound.add(distinct(streams.map(({ source }) => source)), 'Array(String)')}
      AND day >= toDate(toUInt16(${bound.add(from, 'UInt16')})) AND day <= toDate(toUInt16(${bound.add(to, 'UInt16')}))`;
    const none = 0xffff_ffff;
    // Narrow numbers, and the place of the stream in place of its names: what is carried over is most of the work.
    const [stream, day, made, ...lists] = await this.#clickhouse.queryColumns(
      `SELECT transform((device, toString(source), field), ${streamsSql(streams, bound)},
           range(toUInt32(${streams.length})), toUInt32(${none})),
         toUInt16(day), toUInt32(toUnixTimestamp(made)), ${columns.map(numberSql).join(', ')}
       FROM telemetry.days FINAL WHERE ${where} AND c0 >= 0 AND rule = ${COUNTER_RULE}`,
      ['UInt32', 'UInt16', 'UInt32', ...columns.map((name) => (WHOLE.has(name) ? 'UInt32' : 'Float64'))],
      reading(bound, signal, { max_result_rows: 0 }),
    );
    const days = to - from + 1;
    const rows = new Int32Array(streams.length * days).fill(-1);
    for (let row = 0; row < stream.length; row++) {
      const at = stream[row] as number;
      if (at !== none) rows[at * days + (day[row] as number) - from] = row;
    }
    const byName = Object.fromEntries(columns.map((name, i) => [name, lists[i]]));
    return { rows, from, days, columns: byName, made };
  }

  /** Reads days of streams and keeps them; `madeAt` is a time of the engine before that. */
  async make(
    of: DaysOf,
    streams: readonly DayStream[],
    days: readonly ZoneDay[],
    madeAt: number,
    signal?: AbortSignal,
  ): Promise<void> {
    for (let s = 0; s < streams.length; s += STREAMS)
      for (let d = 0; d < days.length; d += DAYS) {
        signal?.throwIfAborted();
        await this.#make(of, streams.slice(s, s + STREAMS), days.slice(d, d + DAYS), madeAt);
      }
  }

  async #make(
    of: DaysOf,
    streams: readonly DayStream[],
    days: readonly ZoneDay[],
    madeAt: number,
  ): Promise<void> {
    const bound = new Bound();
    const numbers = bound.add(
      days.map(({ day }) => day),
      'Array(UInt16)',
    );
    const starts = bound.add(
      days.map(({ from }) => from),
      'Array(Int64)',
    );
    const ends = bound.add(
      days.map(({ to }) => to),
      'Array(Int64)',
    );
    const at = `indexOf(${starts}, roundDown(t, ${starts}))`;
    const [first, last] = [days[0] as ZoneDay, days.at(-1) as ZoneDay];
    const each = eachOf(of, streams, { from: first.from, to: last.to }, bound);
    const values = `SELECT d, source, f, t, msg_id, v, ${at} AS place, arrayElement(${numbers}, place) AS piece FROM (${each})
      WHERE t < arrayElement(${ends}, place)`;
    const columns = PIECE_COLUMNS.map((_, i) => `c${i}`).join(', ');
    const wanted = wantedOf(streams, bound);
    await this.#clickhouse.exec(
      `INSERT INTO telemetry.days (workgroup, tbl, zone, field, device, source, day, made, rule, ${columns})
       SELECT ${bound.add(of.workgroup, 'String')}, ${bound.add(of.table, 'String')}, ${bound.add(of.zone, 'String')},
         arrayElement(${fieldsOf(streams, bound)}, f + 1), d, source, toDate(toUInt16(piece)),
         fromUnixTimestamp64Milli(${bound.add(madeAt + 1, 'Int64')}, 'UTC'), ${COUNTER_RULE}, ${columns}
       FROM (
         SELECT d, toString(source) AS source, f, toUInt16(piece) AS piece, ${columns} FROM (${piecesSql(values)})
         UNION ALL
         SELECT s.1 AS d, s.2 AS source, s.3 AS f, piece, ${PIECE_COLUMNS.map((_, i) => `0. AS c${i}`).join(', ')}
         FROM (SELECT arrayJoin(${wanted}) AS s, arrayJoin(${numbers}) AS piece))
       ORDER BY c0 DESC LIMIT 1 BY d, source, f, piece`,
      { params: bound.params, settings: LONG },
    );
  }

  /** Pieces of streams that are not kept, by `streamKey`: the numbers of the pieces, and lists of all columns. */
  async pieces(
    of: DaysOf,
    streams: readonly DayStream[],
    cuts: readonly number[],
    wanted: readonly number[],
    signal?: AbortSignal,
  ): Promise<Map<string, { pieces: Float64Array; lists: Float64Array[] }>> {
    const bound = new Bound();
    const starts = bound.add(cuts.slice(0, -1), 'Array(Int64)');
    const [first, last] = [
      cuts[wanted[0] as number] as number,
      cuts[(wanted.at(-1) as number) + 1] as number,
    ];
    // Between the pieces at both ends lies what is kept.
    const gap = wanted.findIndex((piece, i) => i > 0 && piece !== (wanted[i - 1] as number) + 1);
    const hole =
      gap < 0 ? [] : [cuts[(wanted[gap - 1] as number) + 1] as number, cuts[wanted[gap] as number] as number];
    const each = eachOf(of, streams, { from: first, to: last }, bound, hole);
    const values = `SELECT d, source, f, t, msg_id, v, indexOf(${starts}, roundDown(t, ${starts})) - 1 AS piece
      FROM (${each}) WHERE has(${bound.add(wanted, 'Array(Int64)')}, piece)`;
    const lists = PIECE_COLUMNS.map((_, i) => `groupArray(c${i})`).join(', ');
    const rows = await this.#clickhouse.queryLists(
      `SELECT toString(d), toString(source), arrayElement(${fieldsOf(streams, bound)}, f + 1), groupArray(toFloat64(piece)),
         ${lists} FROM (${piecesSql(values)}) GROUP BY d, source, f`,
      { texts: 3, lists: 1 + PIECE_COLUMNS.length },
      reading(bound, signal),
    );
    return new Map(
      rows.map(({ texts, lists: [pieces, ...own] }) => [
        texts.join('\n'),
        { pieces: pieces ?? new Float64Array(), lists: own },
      ]),
    );
  }

  /** Forgets every day of a table, whose events were deleted; of all zones. */
  async forget(workgroup: string, table: string): Promise<void> {
    for (const name of ['days', 'day_looks'])
      await this.#clickhouse.exec(
        `ALTER TABLE telemetry.${name} DELETE WHERE workgroup = {workgroup:String} AND tbl = {table:String}`,
        { params: { workgroup, table }, settings: { mutations_sync: 2 } },
      );
  }

  async #mark(of: DaysOf, since: number, now: number): Promise<void> {
    const bound = new Bound();
    const instant = (ms: number) => `fromUnixTimestamp64Milli(${bound.add(ms, 'Int64')}, 'UTC')`;
    const zone = bound.add(of.zone, 'String');
    const touched = `SELECT device, source, toDate(event_time, ${zone})
      FROM telemetry.events WHERE ${touchedSince(of, instant(since), instant(now), zone, bound)}`;
    await this.#clickhouse.exec(
      `INSERT INTO telemetry.days (workgroup, tbl, zone, field, device, source, day, made, c0)
       SELECT workgroup, tbl, zone, field, device, source, day,
         fromUnixTimestamp64Milli(${bound.add(now, 'Int64')}, 'UTC'), -1
       FROM telemetry.days FINAL WHERE ${isOf(of, bound)} AND (device, source, day) IN (${touched})`,
      { params: bound.params, settings: LONG },
    );
  }

  async #looked({ workgroup, table, zone }: DaysOf, at: number): Promise<void> {
    const row = { workgroup, tbl: table, zone, looked: at };
    await this.#clickhouse.insert(
      'INSERT INTO telemetry.day_looks FORMAT JSONEachRow',
      Buffer.from(`${JSON.stringify(row)}\n`),
    );
  }
}

const isOf = ({ workgroup, table, zone }: DaysOf, bound: Bound): string =>
  `workgroup = ${bound.add(workgroup, 'String')} AND tbl = ${bound.add(table, 'String')} AND zone = ${bound.add(zone, 'String')}`;

/** Events that lie in days which may be kept, of all that were stored since an instant; both instants are expressions. */
function touchedSince(
  { workgroup, table }: DaysOf,
  since: string,
  now: string,
  zone: string,
  bound: Bound,
): string {
  return `workgroup = ${bound.add(workgroup, 'String')} AND tbl = ${bound.add(table, 'String')}
    AND store_time >= ${since} AND event_time < toStartOfDay(${now}, ${zone})`;
}

/** A column as `read` asks for it. */
function numberSql(name: PieceColumn): string {
  const column = `c${PIECE_COLUMNS.indexOf(name)}`;
  if (!WHOLE.has(name)) return column;
  const isInstant = name === 'firstAt' || name === 'lastAt';
  return `toUInt32(${isInstant ? `${column} - (toUInt16(day) - 1.) * 86400000` : column})`;
}

/** Device, source and field of each stream, as a list of tuples. */
const streamsSql = (streams: readonly DayStream[], bound: Bound): string =>
  `arrayZip(${bound.add(
    streams.map(({ device }) => device.toLowerCase()),
    'Array(UUID)',
  )}, ${bound.add(
    streams.map(({ source }) => source),
    'Array(String)',
  )}, ${bound.add(
    streams.map(({ slot }) => slot.field),
    'Array(String)',
  )})`;

const distinctFields = (streams: readonly DayStream[]): FieldSlot[] => [
  ...new Map(streams.map(({ slot }) => [slot.field, slot])).values(),
];

const fieldsOf = (streams: readonly DayStream[], bound: Bound): string =>
  bound.add(
    distinctFields(streams).map(({ field }) => field),
    'Array(String)',
  );

/** Device, source and place of the field of each stream. */
function wantedOf(streams: readonly DayStream[], bound: Bound): string {
  const places = new Map(distinctFields(streams).map(({ field }, i) => [field, i]));
  return `arrayZip(${bound.add(
    streams.map(({ device }) => device.toLowerCase()),
    'Array(UUID)',
  )}, ${bound.add(
    streams.map(({ source }) => source),
    'Array(String)',
  )}, ${bound.add(
    streams.map(({ slot }) => places.get(slot.field) ?? 0),
    'Array(UInt16)',
  )})`;
}

/** Every value of some streams: `d`, `source`, `f` (the place of its field), `t` (Int64, epoch ms), `msg_id` and `v`. */
function eachOf(
  { workgroup, table }: DaysOf,
  streams: readonly DayStream[],
  { from, to }: { from: number; to: number },
  bound: Bound,
  [holeFrom, holeTo]: readonly number[] = [],
): string {
  const instant = (ms: number) => `fromUnixTimestamp64Milli(${bound.add(ms, 'Int64')}, 'UTC')`;
  const distinct = (all: readonly string[]) => [...new Set(all)];
  const values = distinctFields(streams).map((slot, i) => `(${i}, ${slotExpression(slot, bound)})`);
  const hole =
    holeFrom === undefined || holeTo === undefined
      ? ''
      : ` AND (event_time < ${instant(holeFrom)} OR event_time >= ${instant(holeTo)})`;
  return `SELECT device AS d, source, toUInt16(one.1) AS f, toUnixTimestamp64Milli(event_time) AS t, msg_id,
      assumeNotNull(one.2) AS v
    FROM ${EVENTS} ARRAY JOIN [${values.join(', ')}] AS one
    WHERE workgroup = ${bound.add(workgroup, 'String')} AND tbl = ${bound.add(table, 'String')}
      AND device IN ${bound.add(distinct(streams.map(({ device }) => device.toLowerCase())), 'Array(UUID)')}
      AND source IN ${bound.add(distinct(streams.map(({ source }) => source)), 'Array(String)')}
      AND event_time >= ${instant(from)} AND event_time < ${instant(to)}${hole} AND isNotNull(one.2)
      AND (device, source, toUInt16(one.1)) IN ${wantedOf(streams, bound)}`;
}
