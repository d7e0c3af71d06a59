import type { ClickHouse } from '@albedo/clickhouse/client';
import { wallTime } from '@albedo/contract/time/zoned-time';
import { type DeviceScope, seesSource } from '../access/device-scope.ts';
import type { TableFields } from './telemetry.catalog.ts';
import { Cuts } from './telemetry.cuts.ts';
import {
  columnsFor,
  differencesOfPieces,
  PIECE_COLUMNS,
  type PieceColumn,
  type PiecePlan,
  type StreamPieceLists,
  windowsOfPieces,
} from './telemetry.day-pieces.ts';
import {
  type DayStream,
  Days,
  type DaysOf,
  type KeptDays,
  originOf,
  streamKey,
  type ZoneDay,
} from './telemetry.days.ts';
import type { RecentDays } from './telemetry.recent-days.ts';
import {
  BESIDE_MS,
  readNearest,
  readWindows,
  type WindowsQuery,
  type WindowValues,
} from './telemetry.windows.ts';

const DAY_MS = 86_400_000;
/** Days are worth keeping where a range has so many of them. */
const LEAST_DAYS = 3;
/** So much of a range may lie beside whole days, ms. */
const BESIDE_DAYS_MS = 5 * DAY_MS;
/** Between these days numbers of days fit, epoch ms. */
const [EARLIEST, LATEST] = [Date.UTC(1971, 0), Date.UTC(2140, 0)];

interface Plan extends PiecePlan {
  /** The day that each piece is, where it is a whole one that is over. */
  days: readonly (ZoneDay | null)[];
}

interface KeptOf {
  clickhouse: ClickHouse;
  workgroup: string;
  devices: DeviceScope;
  fields: TableFields;
  others?: ReadonlyMap<string, TableFields>;
  recent: RecentDays;
}

/**
 * `readWindows` from kept days, where the range consists of days of the zone and the operator lets them be put together:
 * the same numbers. In the order of the streams; null where the values themselves have to be read.
 */
export async function readKeptWindows(
  of: KeptOf,
  query: WindowsQuery,
  zone: string,
  signal?: AbortSignal,
): Promise<(WindowValues | null)[]> {
  const raw = query.streams.map(() => null);
  const columns = columnsFor(query.operator);
  const slots = query.streams.map(({ field }) => of.fields.n.get(field));
  const isPlain =
    query.slice === null &&
    query.during === undefined &&
    query.dateField === 'event_time' &&
    query.rollsOverAt === null &&
    query.restartsAt === undefined &&
    query.restartsIn === undefined &&
    query.streams.every(({ mostPerHour }) => typeof mostPerHour !== 'number');
  if (!columns || !isPlain || query.stretches || slots.includes(undefined)) return raw;
  const now = Date.now();
  if (!isWorthwhile(planOf(query.edges, zone, now))) return raw;

  const { clickhouse, workgroup } = of;
  const days = new Days(clickhouse);
  const daysOf = { workgroup, table: query.table, zone };
  const { at: lookedAt, stamp } = await days.look(daysOf, signal);
  const plan = planOf(query.edges, zone, Math.min(now, lookedAt));
  if (!plan) return raw;
  const streams = query.streams.map(({ device, source }, i): DayStream => {
    return { device, source, slot: slots[i] as NonNullable<(typeof slots)[number]> };
  });
  const visible = new Map(
    streams
      .filter(({ device, source }) => seesSource(of.devices, device.toLowerCase(), source))
      .map((one) => [streamKey(one), one]),
  );
  const wanted = plan.days.flatMap((day) => day ?? []);
  const single = plan.days.flatMap((day, piece) => (day === null ? [piece] : []));
  const all = [...visible.values()];
  if (all.length === 0) return streams.map(() => nothing(plan));
  const [kept, read] = await Promise.all([
    keptOf(of, { days, of: daysOf, streams: all, wanted, columns, lookedAt, stamp }, signal),
    single.length > 0 ? days.pieces(daysOf, all, plan.cuts, single, signal) : null,
  ]);
  if (!kept) return raw;
  const placeOf = new Map([...visible.keys()].map((key, i) => [key, i]));
  const pieces = piecesOver(columns, plan, kept);
  const piecesOf = (stream: DayStream) => {
    const key = streamKey(stream);
    const place = placeOf.get(key);
    return place === undefined ? null : pieces(place, read?.get(key));
  };
  const { operator } = query;
  const far = operator === 'difference' ? await farOf(of, query, plan, streams, piecesOf, signal) : null;
  return streams.map((stream, i) => {
    const found = piecesOf(stream);
    if (!found) return nothing(plan);
    const { lists, madeAt } = found;
    const { factor = 1, offset = 0 } = query.streams[i] ?? {};
    const made = { madeAt: madeAt ?? lookedAt };
    if (operator !== 'difference') {
      const values = windowsOfPieces(operator, plan, lists, { factor, offset });
      return values && { ...values, ...made };
    }
    const counted = windowsOfPieces('count', plan, lists, { factor: 1, offset: 0 });
    const values = counted && differencesOfPieces(plan, lists, { ...far?.(i), factor });
    return values && { ...counted, values, ...made };
  });
}

/** The nearest readings of counters that have none beside the range. */
async function farOf(
  of: KeptOf,
  query: WindowsQuery,
  { cuts }: Plan,
  streams: readonly DayStream[],
  piecesOf: (stream: DayStream) => { lists: StreamPieceLists } | null,
  signal?: AbortSignal,
) {
  const readings = streams.map((stream) => {
    const lists = piecesOf(stream)?.lists;
    const first = lists?.n.findIndex((n) => n > 0) ?? -1;
    const last = lists?.n.findLastIndex((n) => n > 0) ?? -1;
    return lists && first >= 0
      ? [{ at: lists.firstAt?.[first] ?? 0 }, { at: lists.lastAt?.[last] ?? 0 }]
      : [];
  });
  const span = { from: cuts[0] as number, to: cuts.at(-1) as number };
  const { earlier, later } = await readNearest(of, query, (i) => readings[i] ?? [], span, signal);
  return (i: number) => {
    const [before, after] = [earlier.get(i)?.at(-1), later.get(i)?.[0]];
    return { ...(before ? { before } : {}), ...(after ? { after } : {}) };
  };
}

/** `readWindows`, from kept days as far as they go. */
export async function readWindowsOrDays(
  of: KeptOf,
  query: WindowsQuery,
  signal?: AbortSignal,
): Promise<WindowValues[]> {
  const kept =
    query.days === undefined
      ? query.streams.map(() => null)
      : await readKeptWindows(of, query, query.days, signal);
  if (query.slice !== null || kept.every((one) => one === null)) return readWindows(of, query, signal);
  const streams = query.streams.filter((_, i) => kept[i] === null);
  const raw = await readWindows(of, { ...query, streams }, signal);
  return kept.map((one) => one ?? (raw.shift() as WindowValues));
}

const nothing = ({ count }: Plan): WindowValues => ({
  values: new Array<null>(count).fill(null),
  counts: new Array<number>(count).fill(0),
  coveredMs: new Array<number>(count).fill(0),
});

/** Pieces of a range and of a day at either side, cut at midnights of the zone and where intervals begin. */
function planOf(edges: readonly number[], zone: string, now: number): Plan | null {
  const [first, last] = [edges[0] as number, edges.at(-1) as number];
  if (first < EARLIEST || last > LATEST) return null;
  const [from, to] = [first - BESIDE_MS, last + BESIDE_MS];
  const midnights = new Cuts({ count: 1, unit: 'd' }, { from, to }, zone).all({ from, to: to + 1 }, 100_000);
  const isMidnight = new Set(midnights);
  const cuts = [...new Set([from, to, ...edges, ...midnights.filter((at) => at > from && at < to)])].sort(
    (a, b) => a - b,
  );
  const nextMidnight = new Map(midnights.map((at, i) => [at, midnights[i + 1]]));
  let at = 0;
  const starts = cuts.slice(0, -1);
  const intervals = starts.map((start) => {
    if (start < first || start >= last) return -1;
    while (at + 1 < edges.length - 1 && start >= (edges[at + 1] as number)) at++;
    return at;
  });
  const days = starts.map((start, i) => {
    const end = cuts[i + 1] as number;
    if (!isMidnight.has(start) || nextMidnight.get(start) !== end || end > now) return null;
    const { year, month, day } = wallTime(start, zone);
    return { day: Math.round(Date.UTC(year, month - 1, day) / DAY_MS), from: start, to: end };
  });
  return { cuts, intervals, count: edges.length - 1, days };
}

function isWorthwhile(plan: Plan | null): plan is Plan {
  if (!plan) return false;
  const { cuts, days } = plan;
  const beside = days.reduce(
    (sum, day, i) => (day ? sum : sum + (cuts[i + 1] as number) - (cuts[i] as number)),
    0,
  );
  return days.filter((day) => day !== null).length >= LEAST_DAYS && beside <= BESIDE_DAYS_MS;
}

/** So often days are made for one question; after that the values are read. */
const TRIES = 4;

interface Wanted {
  days: Days;
  of: DaysOf;
  streams: readonly DayStream[];
  wanted: readonly ZoneDay[];
  columns: readonly PieceColumn[];
  lookedAt: number;
  stamp: string | null;
}

/**
 * All days of some streams, of which those that are not kept are made first. Null where others keep marking them: for half
 * a minute after late data each question marks its days again, also those that another one has just made.
 */
async function keptOf(
  { recent }: KeptOf,
  { days, of, streams, wanted, columns, lookedAt, stamp }: Wanted,
  signal?: AbortSignal,
): Promise<KeptDays | null> {
  const span = { from: wanted[0]?.day ?? 0, to: wanted.at(-1)?.day ?? 0 };
  const question = JSON.stringify([of, span, columns, streams.map(streamKey)]);
  const held = stamp === null ? null : recent.find(question, stamp);
  if (held) return held;
  let kept = await days.read(of, streams, span, columns, signal);
  let missing = missingOf(streams, wanted, kept);
  if (missing.length === 0 && stamp !== null) recent.hold(question, stamp, kept);
  for (let tries = 0; missing.length > 0; tries++) {
    if (tries === TRIES) return null;
    const madeAt = tries === 0 ? lookedAt : await days.now(signal);
    for (const one of missing) await days.make(of, one.streams, one.days, madeAt, signal);
    const made = missing.flatMap((one) => one.streams);
    kept =
      made.length > streams.length / 10
        ? await days.read(of, streams, span, columns, signal)
        : withStreams(kept, streams, await days.read(of, made, span, columns, signal), made);
    missing = missingOf(streams, wanted, kept);
  }
  return kept;
}

/** Kept days with those of some streams in place of what was there. */
function withStreams(
  kept: KeptDays,
  streams: readonly DayStream[],
  other: KeptDays,
  others: readonly DayStream[],
): KeptDays {
  const places = new Map(streams.map((one, i) => [streamKey(one), i]));
  const rows = kept.rows.slice();
  for (const [i, stream] of others.entries()) {
    const at = (places.get(streamKey(stream)) as number) * kept.days;
    for (let day = 0; day < kept.days; day++) {
      const row = other.rows[i * kept.days + day] as number;
      rows[at + day] = row < 0 ? -1 : kept.made.length + row;
    }
  }
  const columns: KeptDays['columns'] = {};
  for (const name of Object.keys(kept.columns) as PieceColumn[])
    columns[name] = joined(kept.columns[name], other.columns[name]);
  return { ...kept, rows, columns, made: joined(kept.made, other.made) };
}

function joined<T extends Float64Array | Uint32Array>(first: T | undefined, second: T | undefined): T {
  const [a, b] = [first as T, second as T];
  const all = (
    a instanceof Float64Array ? new Float64Array(a.length + b.length) : new Uint32Array(a.length + b.length)
  ) as T;
  all.set(a);
  all.set(b, a.length);
  return all;
}

/** Days that are not kept, with the streams of which they are not. */
function missingOf(
  streams: readonly DayStream[],
  wanted: readonly ZoneDay[],
  { rows, from, days: count }: KeptDays,
): { streams: DayStream[]; days: ZoneDay[] }[] {
  const groups = new Map<string, { streams: DayStream[]; days: ZoneDay[] }>();
  for (const [i, stream] of streams.entries()) {
    const days = wanted.filter(({ day }) => (rows[i * count + day - from] as number) < 0);
    if (days.length === 0) continue;
    const name = days.map(({ day }) => day).join(' ');
    const group = groups.get(name) ?? { streams: [], days };
    group.streams.push(stream);
    groups.set(name, group);
  }
  return [...groups.values()];
}

/**
 * Reads the pieces of one stream after the other, by its place. The lists are the same ones each time: there are as many
 * numbers in them as are worth not to be thrown away for each of a thousand streams.
 */
function piecesOver(columns: readonly PieceColumn[], { days }: Plan, kept: KeptDays) {
  const lists: StreamPieceLists = { n: new Float64Array(days.length) };
  for (const name of columns) lists[name] ??= new Float64Array(days.length);
  const rows = new Int32Array(days.length);
  const origins = Float64Array.from(days, (day) => (day ? originOf(day.day) : 0));
  const offsets = Int32Array.from(days, (day) => (day ? day.day - kept.from : -1));

  return (place: number, read: { pieces: Float64Array; lists: Float64Array[] } | undefined) => {
    let made = Number.POSITIVE_INFINITY;
    for (let piece = 0; piece < rows.length; piece++) {
      const offset = offsets[piece] as number;
      const row = offset < 0 ? -1 : (kept.rows[place * kept.days + offset] as number);
      rows[piece] = row;
      if (row >= 0) made = Math.min(made, kept.made[row] as number);
    }
    const whole = wholeOf(rows);
    for (const name of columns) {
      const [list, all] = [lists[name] as Float64Array, kept.columns[name]];
      const isInstant = name === 'firstAt' || name === 'lastAt';
      if (whole && all) copyWhole(list, whole, all, isInstant ? origins : undefined);
      else copyRows(list, rows, all, isInstant ? origins : undefined);
      const others = read?.lists[PIECE_COLUMNS.indexOf(name)];
      read?.pieces.forEach((piece, i) => {
        list[piece] = others?.[i] ?? 0;
      });
    }
    return { lists, madeAt: Number.isFinite(made) ? made * 1000 : undefined };
  };
}

interface Whole {
  /** The piece with the first row, that row, and how many there are. */
  at: number;
  row: number;
  length: number;
}

/** Most streams have each day, one after the other; null for others. */
function wholeOf(rows: Int32Array): Whole | null {
  const at = rows.findIndex((row) => row >= 0);
  if (at < 0) return null;
  const row = rows[at] as number;
  let length = 1;
  while (at + length < rows.length && rows[at + length] === row + length) length++;
  for (let i = at + length; i < rows.length; i++) if ((rows[i] as number) >= 0) return null;
  return { at, row, length };
}

/** As `copyRows` of rows that stand one after the other. */
function copyWhole(
  list: Float64Array,
  { at, row, length }: Whole,
  from: Float64Array | Uint32Array,
  origins?: Float64Array,
): void {
  list.fill(0, 0, at);
  list.set(from.subarray(row, row + length), at);
  list.fill(0, at + length);
  if (!origins) return;
  for (let i = at; i < at + length; i++) list[i] = (list[i] as number) + (origins[i] as number);
}

/** The numbers of some rows, 0 where there is none. */
function copyRows(
  list: Float64Array,
  rows: Int32Array,
  from: Float64Array | Uint32Array | undefined,
  origins?: Float64Array,
): void {
  for (let i = 0; i < list.length; i++) {
    const row = rows[i] as number;
    list[i] = row < 0 || !from ? 0 : (from[row] as number) + (origins ? (origins[i] as number) : 0);
  }
}
