import type { ClickHouse } from '@albedo/clickhouse/client';
import type {
  CombinedSeries,
  FormulaText,
  SeriesKey,
  SeriesPoints,
  SeriesQuery,
} from '@albedo/contract/telemetry/telemetry.schema';
import { isTimeZone } from '@albedo/contract/time/zoned-time';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import type { TableFields } from './telemetry.catalog.ts';
import type { ChartHours } from './telemetry.chart-hours.ts';
import { Bound } from './telemetry.columns.ts';
import { type CheckedFormula, checkFormula, isOfOneStream } from './telemetry.formula.ts';
import { reading } from './telemetry.reading.ts';
import { calendarGrid, equalGrid, type Grid, type Span, stepOf } from './telemetry.series-grid.ts';
import { noPoints } from './telemetry.series-points.ts';
import { SeriesRead } from './telemetry.series-read.ts';
import {
  FORMULA_LINE,
  FormulaRows,
  type Line,
  type StreamInput,
  streamValues,
  TableRows,
} from './telemetry.series-rows.ts';

/** The fields of a table, null where there is no such table; one that is named is looked for thoroughly. */
export type FindFields = (table: string, field?: string) => Promise<TableFields | null>;

export interface SeriesScope {
  clickhouse: ClickHouse;
  /** Null where the values themselves are to be read. */
  hours: ChartHours | null;
  workgroup: string;
  find: FindFields;
  sees: (key: SeriesKey) => boolean;
  signal: AbortSignal | undefined;
}

/** What need not be said inside the server. */
const DEFAULTS = {
  formulas: [] as FormulaText[],
  combined: [] as CombinedSeries[],
  timezone: 'UTC',
  function: 'average' as const,
  dateField: 'event_time',
} satisfies Partial<SeriesQuery>;
export type SeriesAsked = Omit<SeriesQuery, keyof typeof DEFAULTS> & Partial<SeriesQuery>;

/** Lines that are read together: of one table over one span. */
interface Batch {
  rows: TableRows;
  span: Span;
  lines: { place: number; line: Line }[];
}

/**
 * Points of several series, and then of formulas, in the order in which they were asked for.
 *
 * Where a range holds more values than `maxPoints`, they are thinned to min, avg and max of equal buckets, otherwise
 * every value is a point; an interval always makes buckets. Series that are not to be seen (`sees`) are as empty as those
 * of no device. Throws `table.not_found`, `table.field_unknown`, and `request.invalid` for a zone that does not exist and
 * a formula with a fault.
 */
export async function readSeries(scope: SeriesScope, asked: SeriesAsked): Promise<SeriesPoints[]> {
  const query: SeriesQuery = { ...DEFAULTS, ...asked };
  const { timezone } = query;
  if (!isTimeZone(timezone)) throw invalid('issue.zone_unknown', { zone: timezone }, 'timezone');
  return new SeriesQuestion(scope, query).answer();
}

class SeriesQuestion {
  readonly #scope: SeriesScope;
  readonly #query: SeriesQuery;
  readonly #rows = new Map<string, TableRows>();
  readonly #batches = new Map<string, Batch>();
  readonly #points: SeriesPoints[] = [];

  constructor(scope: SeriesScope, query: SeriesQuery) {
    this.#scope = scope;
    this.#query = query;
  }

  async answer(): Promise<SeriesPoints[]> {
    const { series, formulas } = this.#query;
    for (const [place, { span = this.#query, ...key }] of series.entries()) {
      this.#points[place] = noPoints();
      const rows = await this.#rowsOf(key);
      if (!this.#scope.sees(key)) continue;
      const { device, source, field } = key;
      this.#add(key.table, rows, span, { place, line: { device, source, value: field } });
    }
    const over = [];
    for (const [i, { span = this.#query, ...formula }] of formulas.entries()) {
      const read = await this.#formula(series.length + i, formula, span, `formulas.${i}`);
      if (read) over.push(read);
    }
    await Promise.all([
      ...[...this.#batches.values()].map((batch) => this.#read(batch)),
      ...over.map((read) => read()),
    ]);
    formulas.forEach((_, i) => {
      const points = this.#points[series.length + i];
      const unit = this.#units[i];
      if (points && unit !== undefined) points.unit = unit;
    });
    return this.#points;
  }

  readonly #units: string[] = [];

  /** Adds a formula over one stream to its batch; of one over several it answers what reads it. */
  async #formula(
    place: number,
    formula: FormulaText,
    span: Span,
    path: string,
  ): Promise<(() => Promise<void>) | null> {
    this.#points[place] = noPoints();
    const inputs: StreamInput[] = [];
    for (const { name, ...key } of formula.inputs)
      inputs.push({ name, ...key, rows: await this.#rowsOf(key) });
    const checked = await checkFormula(formula, this.#scope.find, path);
    this.#units.push(checked.unit);
    if (!inputs.every((key) => this.#scope.sees(key))) return null;
    const [first] = inputs;
    if (!first) return null;
    if (!isOfOneStream(inputs)) return () => this.#readFormula(place, checked, inputs, span);
    const fields = new Map(inputs.map(({ name, field }) => [name, field]));
    const value = first.rows.addVirtual((column) =>
      checked.write((name) => column(fields.get(name) as string)),
    );
    const { device, source } = first;
    this.#add(first.table, first.rows, span, { place, line: { device, source, value } });
    return null;
  }

  #add(table: string, rows: TableRows, { from, to }: Span, line: Batch['lines'][number]): void {
    const key = JSON.stringify([table, from, to]);
    const batch = this.#batches.get(key) ?? { rows, span: { from, to }, lines: [] };
    batch.lines.push(line);
    this.#batches.set(key, batch);
  }

  async #rowsOf({ table, field }: SeriesKey): Promise<TableRows> {
    const { find, workgroup } = this.#scope;
    const fields = await find(table, field);
    if (!fields) throw new AppError('table.not_found', { table });
    if (!fields.n.has(field)) throw new AppError('table.field_unknown', { table, field });
    const rows = this.#rows.get(table) ?? new TableRows(workgroup, table, fields, this.#query.dateField);
    this.#rows.set(table, rows);
    return rows;
  }

  async #read({ rows, span, lines }: Batch): Promise<void> {
    const read = new SeriesRead(this.#scope, rows, this.#as(span), this.#scope.signal);
    const answers = await read.points(lines.map(({ line }) => line));
    lines.forEach(({ place }, i) => {
      this.#points[place] = answers[i] ?? noPoints();
    });
  }

  async #readFormula(
    place: number,
    { write }: CheckedFormula,
    inputs: readonly StreamInput[],
    span: Span,
  ): Promise<void> {
    const paceMs = await this.#paceOf(inputs, span);
    const rows = new FormulaRows(inputs, paceMs, write);
    const read = new SeriesRead(this.#scope, rows, this.#as(span, paceMs), this.#scope.signal);
    this.#points[place] = (await read.points([FORMULA_LINE]))[0] ?? noPoints();
  }

  #as(span: Span, leastMs = 0) {
    const { maxPoints, interval, timezone, function: of } = this.#query;
    const grid: Grid =
      interval === undefined
        ? equalGrid(stepOf(span, maxPoints, leastMs))
        : calendarGrid(interval, span, timezone);
    return { span, grid, mostRaw: interval === undefined ? maxPoints : null, function: of, now: Date.now() };
  }

  /** The usual pause of the slowest stream, as one of the widths of buckets; long pauses hardly count. */
  async #paceOf(inputs: readonly StreamInput[], span: Span): Promise<number> {
    const { clickhouse, signal } = this.#scope;
    const bound = new Bound();
    const sql = `SELECT max(usual) FROM (SELECT quantileExactWeighted(0.5)(p, least(p, ${LONG_PAUSE_MS})) AS usual
      FROM (SELECT i, toUInt64(ms - lagInFrame(ms, 1, ms) OVER (PARTITION BY i ORDER BY ms
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS p
        FROM (${streamValues(inputs, bound, span)}))
      WHERE p > 0 GROUP BY i)`;
    const [row] = await clickhouse.queryRows<[number | string | null]>(sql, reading(bound, signal));
    return stepOf(span, Number.MAX_SAFE_INTEGER, Math.max(1, Number(row?.[0] ?? 1)));
  }
}

/** A longer pause counts as one of this length where the usual one is looked for, ms. */
const LONG_PAUSE_MS = 900_000;
