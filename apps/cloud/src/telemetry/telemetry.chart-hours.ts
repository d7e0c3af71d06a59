import type { ClickHouse } from '@albedo/clickhouse/client';
import { Bound } from './telemetry.columns.ts';
import { reading } from './telemetry.reading.ts';
import type { Span } from './telemetry.series-grid.ts';
import { isWithin, RecentBuckets } from './telemetry.settled.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/**
 * What was stored so long before the last look may not have been readable then, ms: longer than the engine may take over an
 * insert.
 */
export const MARGIN_MS = 600_000;
/** Of shorter ranges the values themselves are read: that asks the engine once in place of twice. */
const LEAST_MS = 60 * DAY_MS;
/** With more days of streams to be read anew, all values are read, which is less work. */
const STALE_DAYS = 200;
/** A field that nobody has kept is asked for again after so long, ms. */
const ABSENT_MS = 5000;
/** After a guess that did not hold, none is made for so long, ms. */
const UNSURE_MS = 60_000;
/** Answers about fields that are remembered. */
const REMEMBERED = 10_000;

/** Fields of a table of which hours are kept, or may be. */
export interface HoursOf {
  workgroup: string;
  table: string;
  fields: readonly string[];
}

/** A day (since 1970, UTC) of a source. */
export type StreamDay = readonly [day: number, device: string, source: string];

/** Which part of a span kept hours tell of. */
export interface KeptHours {
  of: HoursOf;
  /** Whole hours, epoch ms. */
  kept: Span;
  /** In which something was stored after their hours were kept. */
  stale: readonly StreamDay[];
  /** Until when the job had looked for what was stored, as the engine writes it: it tells one state of the hours from the next. */
  looked: string;
  /** Another one as soon as hours of these streams were made again, or events of the table deleted; the newest days do not count. */
  stamp: string;
}

/** What a look finds. */
type Found = Span & Pick<KeptHours, 'stale' | 'looked' | 'stamp'>;

/** What the last look found about fields. */
interface Known extends Span {
  looked: string;
  unsureUntil: number;
}

type FoundRow = [
  count: string,
  since: number,
  until: number,
  looked: string,
  cut: [day: number, at: string],
  made: string,
  stale: [number, string, string][],
];

/**
 * Kept hours of streams, for charts of long ranges: what the values of an hour come to, as far as it can be added up.
 *
 * They are a copy of the events. A look finds what was stored since they were made by the time of storing; such days of a
 * stream, and what lies outside of the kept days, are read from the events in the same question, so that an answer is
 * never older than what was stored when it was asked for.
 */
export class ChartHours {
  readonly #clickhouse: ClickHouse;
  readonly #leastMs: number;
  readonly #unsureMs: number;
  /** When a field was last found not to be kept. */
  readonly #absent = new Map<string, number>();
  readonly recent = new RecentBuckets();
  /** By fields that were asked for together. */
  readonly #known = new Map<string, Known>();
  /** Fields that were written down as asked for, with the day. */
  readonly #asked = new Map<string, number>();

  constructor(clickhouse: ClickHouse, leastMs = LEAST_MS, unsureMs = UNSURE_MS) {
    this.#clickhouse = clickhouse;
    this.#leastMs = leastMs;
    this.#unsureMs = unsureMs;
  }

  /**
   * What a look will most likely find, so that hours can be read beside it: what it found last, and nothing late for days
   * before the one on which the job looked last. What was read counts only where the look `bears` it `out`. Null where
   * nothing is known, and for a while after a guess that did not hold.
   */
  guess(of: HoursOf, { from, to }: Span): KeptHours | null {
    const known = this.#known.get(groupOf(of));
    if (!known || known.unsureUntil > Date.now()) return null;
    return this.#within(of, { from, to }, { ...known, to: settledUntil(known), stale: [], stamp: '' });
  }

  /** Whether hours may tell of a span at all: of a short one the values are read. */
  isFor({ from, to }: Span): boolean {
    return to - from >= this.#leastMs && from >= 0 && to <= LAST_DAY * DAY_MS;
  }

  /** Whether what was remembered of a part of kept hours is what would be read of it after this look. */
  isStill(stamp: string, part: Span, found: KeptHours | null): boolean {
    return found !== null && found.stamp === stamp && isWhole(part, found);
  }

  /** The part of kept hours whose stamp is another one when they change; null where something in it is stale. */
  settledOf({ kept, looked, stale }: KeptHours): Span | null {
    const settled = { from: kept.from, to: settledUntil({ to: kept.to, looked }) };
    return settled.from >= settled.to || stale.some(([day]) => touches(day, settled)) ? null : settled;
  }

  /** Whether what was read by a guess is what would have been read after the look. */
  bearsOut(guess: KeptHours, found: KeptHours | null): boolean {
    const holds = found !== null && found.looked === guess.looked && isWhole(guess.kept, found);
    const known = this.#known.get(groupOf(guess.of));
    if (!holds && known) known.unsureUntil = Date.now() + this.#unsureMs;
    return holds;
  }

  /** Null where the values have to be read. */
  async look(
    of: HoursOf,
    streams: { devices: readonly string[]; sources: readonly string[] },
    { from, to }: Span,
    signal?: AbortSignal,
  ): Promise<KeptHours | null> {
    if (!this.isFor({ from, to })) return null;
    // No chart fails for it, for example on a full disk.
    await this.#noteAsked(of).catch(() => {});
    if (of.fields.some((field) => this.#isAbsent(keyOf(of, field)))) return null;
    const found = await this.#find(of, streams, { from, to }, signal);
    if (!found) {
      this.#known.delete(groupOf(of));
      for (const field of of.fields) remember(this.#absent, keyOf(of, field), Date.now());
      return null;
    }
    const unsureUntil = this.#known.get(groupOf(of))?.unsureUntil ?? 0;
    remember(this.#known, groupOf(of), { from: found.from, to: found.to, looked: found.looked, unsureUntil });
    return this.#within(of, { from, to }, found);
  }

  #within(of: HoursOf, { from, to }: Span, { looked, stamp, ...found }: Found): KeptHours | null {
    if (!this.isFor({ from, to })) return null;
    const kept = {
      from: Math.ceil(Math.max(from, found.from) / HOUR_MS) * HOUR_MS,
      to: Math.floor(Math.min(to, found.to) / HOUR_MS) * HOUR_MS,
    };
    if (kept.to - kept.from < this.#leastMs || found.stale.length > STALE_DAYS) return null;
    return { of, kept, stale: found.stale.filter(([day]) => touches(day, kept)), looked, stamp };
  }

  async #find(
    { workgroup, table, fields }: HoursOf,
    { devices, sources }: { devices: readonly string[]; sources: readonly string[] },
    { from, to }: Span,
    signal: AbortSignal | undefined,
  ): Promise<Found | null> {
    const bound = new Bound();
    const distinct = [...new Set(fields)];
    const named = `field IN ${bound.add(distinct, 'Array(String)')}`;
    const ofStreams = `device IN ${bound.add(devices, 'Array(UUID)')} AND source IN ${bound.add(sources, 'Array(String)')}`;
    const ofTable = `workgroup = ${bound.add(workgroup, 'String')} AND tbl = ${bound.add(table, 'String')}`;
    const day = (ms: number) => bound.add(Math.min(LAST_DAY, Math.max(0, Math.floor(ms / DAY_MS))), 'UInt16');
    // What is asked of days and devices stands beside the condition: the index of the key takes longer over it than reading the
    // few events that were stored lately.
    const [row] = await this.#clickhouse.queryRows<FoundRow>(
      `WITH (SELECT (count(), max(since), min(until), min(looked), min(cuts))
          FROM telemetry.chart_extents FINAL
          WHERE ${ofTable} AND ${named}) AS e,
        e.1 = ${bound.add(distinct.length, 'UInt32')} AND now64(3) >= e.4 AS ready
       SELECT toString(if(ready, e.1, 0)), e.2, e.3, toString(e.4),
         (SELECT (maxIf(before_day, at >= e.5), toString(max(at))) FROM telemetry.forgotten_hours WHERE ${ofTable}),
         (SELECT toString(max(made)) FROM telemetry.chart_hours WHERE ${ofTable} AND ${named} AND ${ofStreams}
            AND hour >= ${day(from)} * 24 AND hour < least(e.3, toDate(e.4) - toDate(0) - 1) * 24),
         (SELECT groupUniqArrayIf(${STALE_DAYS + 1})((toUInt16(toDate(event_time)), toString(device), toString(source)),
            toDate(event_time) >= toDate(greatest(e.2, ${day(from)})) AND toDate(event_time) <= toDate(least(e.3, ${day(to)}))
            AND ${ofStreams})
          FROM telemetry.events WHERE ${ofTable}
            AND store_time >= if(ready, e.4 - toIntervalMillisecond(${MARGIN_MS}), now64(3) + toIntervalDay(1)))`,
      reading(bound, signal),
    );
    if (!row || Number(row[0]) === 0) return null;
    const [, since, until, looked, [cut, cutAt], made, stale] = row;
    return {
      from: Math.max(since, cut) * DAY_MS,
      to: until * DAY_MS,
      looked,
      stale,
      stamp: `${made} ${cutAt}`,
    };
  }

  #isAbsent(key: string): boolean {
    return Date.now() - (this.#absent.get(key) ?? Number.NEGATIVE_INFINITY) < ABSENT_MS;
  }

  /** Writes down once a day that somebody asks for these fields: of such ones hours are kept. */
  async #noteAsked({ workgroup, table, fields }: HoursOf): Promise<void> {
    const today = Math.floor(Date.now() / DAY_MS);
    const fresh = [...new Set(fields)].filter(
      (field) => this.#asked.get(keyOf({ workgroup, table }, field)) !== today,
    );
    if (fresh.length === 0) return;
    const lines = fresh.map((field) => `${JSON.stringify({ workgroup, tbl: table, field, asked: today })}\n`);
    await this.#clickhouse.insert(
      'INSERT INTO telemetry.chart_asks FORMAT JSONEachRow',
      Buffer.from(lines.join('')),
    );
    for (const field of fresh) remember(this.#asked, keyOf({ workgroup, table }, field), today);
  }
}

/** The last day of the engine's Date. */
export const LAST_DAY = 65_535;

/**
 * Forgets what is kept of a table whose events were deleted, all of them or those before an instant (epoch ms). Before the
 * deletion it has everybody read the values, after it it takes away what was kept meanwhile.
 */
export async function forgetHours(
  clickhouse: ClickHouse,
  { workgroup, table, before }: { workgroup: string; table: string; before?: number | undefined },
): Promise<void> {
  const day =
    before === undefined ? LAST_DAY : Math.min(LAST_DAY, Math.max(0, Math.floor(before / DAY_MS) + 1));
  const params = { workgroup, table, day, hour: day * 24 };
  await clickhouse.exec(
    'INSERT INTO telemetry.forgotten_hours SELECT {workgroup:String}, {table:String}, {day:UInt16}, now64(3)',
    { params },
  );
  await clickhouse.exec(
    `ALTER TABLE telemetry.chart_hours DELETE
     WHERE workgroup = {workgroup:String} AND tbl = {table:String} AND hour < {hour:UInt32}`,
    { params, settings: { mutations_sync: 2 } },
  );
}

/** Has the hours of all tables made again: a part of the store is gone, of events or of hours. */
export const forgetAllHours = (clickhouse: ClickHouse): Promise<void> =>
  clickhouse.exec(
    `INSERT INTO telemetry.forgotten_hours
     SELECT DISTINCT workgroup, tbl, toUInt16(${LAST_DAY}), now64(3) FROM telemetry.chart_extents`,
  );

/**
 * What is kept after this day is made again every few minutes: of the day on which the job looked last, and of the one before it, as
 * much comes late.
 */
const settledUntil = ({ to, looked }: Pick<Known, 'to' | 'looked'>): number =>
  Math.min(to, Math.floor(Date.parse(`${looked.replace(' ', 'T')}Z`) / DAY_MS) * DAY_MS - DAY_MS);

/** Whether kept hours tell of a whole span. */
const isWhole = (span: Span, { kept, stale }: KeptHours): boolean =>
  isWithin(span, kept) && !stale.some(([day]) => touches(day, span));

const touches = (day: number, { from, to }: Span): boolean => (day + 1) * DAY_MS > from && day * DAY_MS < to;

const groupOf = ({ workgroup, table, fields }: HoursOf): string =>
  JSON.stringify([workgroup, table, [...new Set(fields)].sort()]);

const keyOf = ({ workgroup, table }: Pick<HoursOf, 'workgroup' | 'table'>, field: string): string =>
  JSON.stringify([workgroup, table, field]);

function remember<V>(all: Map<string, V>, key: string, value: V): void {
  if (all.size >= REMEMBERED) all.clear();
  all.set(key, value);
}
