import type { ClickHouse } from '@albedo/clickhouse/client';
import { wallTime } from '@albedo/contract/time/zoned-time';
import { type DeviceScope, seesSource } from '../access/device-scope.ts';
import type { TableFields } from './telemetry.catalog.ts';
import { Cuts } from './telemetry.cuts.ts';
import {
  columnsFor,
  PIECE_COLUMNS,
  type PieceColumn,
  type PiecePlan,
  type StreamPieceLists,
  windowsOfPieces,
} from './telemetry.day-pieces.ts';
import { type DayStream, Days, type KeptDays, streamKey, type ZoneDay } from './telemetry.days.ts';
import { BESIDE_MS, readWindows, type WindowsQuery, type WindowValues } from './telemetry.windows.ts';

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

/**
 * `readWindows` from kept days, where the range consists of days of the zone and the operator lets them be put together:
 * the same numbers. In the order of the streams; null where the values themselves have to be read.
 */
export async function readKeptWindows(
  of: { clickhouse: ClickHouse; workgroup: string; devices: DeviceScope; fields: TableFields },
  query: WindowsQuery,
  zone: string,
  signal?: AbortSignal,
): Promise<(WindowValues | null)[]> {
  const raw = query.streams.map(() => null);
  const columns = columnsFor(query.operator);
  const slots = query.streams.map(({ field }) => of.fields.n.get(field));
  const isPlain = query.slice === null && query.dateField === 'event_time' && query.rollsOverAt === null;
  if (!columns || !isPlain || query.stretches || slots.includes(undefined)) return raw;
  const now = Date.now();
  if (!isWorthwhile(planOf(query.edges, zone, now))) return raw;

  const { clickhouse, workgroup } = of;
  const days = new Days(clickhouse);
  const daysOf = { workgroup, table: query.table, zone };
  const lookedAt = await days.look(daysOf, signal);
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
  const span = { from: wanted[0]?.day ?? 0, to: wanted.at(-1)?.day ?? 0 };
  const [found, read] = await Promise.all([
    days.read(daysOf, all, span, columns, signal),
    single.length > 0 ? days.pieces(daysOf, all, plan.cuts, single, signal) : null,
  ]);
  const missing = missingOf(visible, wanted, found);
  for (const { streams: some, days: gone } of missing) await days.make(daysOf, some, gone, lookedAt, signal);
  const kept = missing.length > 0 ? await days.read(daysOf, all, span, columns, signal) : found;
  const placeOf = new Map(plan.days.map((day, piece) => [day?.day ?? -1, piece]));
  return streams.map((stream, i) => {
    const key = streamKey(stream);
    if (!visible.has(key)) return nothing(plan);
    const lists = listsOf(columns, plan, placeOf, kept.get(key), read?.get(key));
    const isPlainCounter = query.operator === 'difference';
    const { factor = 1, offset = 0 } = query.streams[i] ?? {};
    const values = windowsOfPieces(query.operator, plan, lists, {
      factor,
      offset: isPlainCounter ? 0 : offset,
    });
    return values && { ...values, madeAt: kept.get(key)?.madeAt ?? lookedAt };
  });
}

/** `readWindows`, from kept days as far as they go. */
export async function readWindowsOrDays(
  of: Parameters<typeof readWindows>[0],
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

/** Days that are not kept, with the streams of which they are not. */
function missingOf(
  streams: ReadonlyMap<string, DayStream>,
  wanted: readonly ZoneDay[],
  found: ReadonlyMap<string, KeptDays>,
): { streams: DayStream[]; days: ZoneDay[] }[] {
  const groups = new Map<string, { streams: DayStream[]; days: ZoneDay[] }>();
  for (const [key, stream] of streams) {
    const known = found.get(key);
    if (known && known.days.length === wanted.length) continue;
    const has = new Set(known?.days);
    const days = wanted.filter(({ day }) => !has.has(day));
    const name = days.map(({ day }) => day).join(' ');
    const group = groups.get(name) ?? { streams: [], days };
    group.streams.push(stream);
    groups.set(name, group);
  }
  return [...groups.values()];
}

/** The columns of one stream, piece by piece. */
function listsOf(
  columns: readonly PieceColumn[],
  { cuts }: Plan,
  placeOf: ReadonlyMap<number, number>,
  kept: KeptDays | undefined,
  read: { pieces: Float64Array; lists: Float64Array[] } | undefined,
): StreamPieceLists {
  const length = cuts.length - 1;
  const places = kept ? Int32Array.from(kept.days, (day) => placeOf.get(day) ?? -1) : new Int32Array();
  const lists: StreamPieceLists = { n: new Float64Array(length) };
  columns.forEach((name, c) => {
    const list = name === 'n' ? lists.n : new Float64Array(length);
    lists[name] = list;
    const own = kept?.lists[c];
    if (own) for (let i = 0; i < places.length; i++) list[places[i] as number] = own[i] as number;
    const others = read?.lists[PIECE_COLUMNS.indexOf(name)];
    read?.pieces.forEach((piece, i) => {
      list[piece] = others?.[i] ?? 0;
    });
  });
  return lists;
}
