import type { Aggregation } from '@albedo/contract/telemetry/search.schema';
import { invalid } from '../errors/request-issues.ts';
import { Bound, type Cell, columnOf } from './telemetry.columns.ts';
import type { Cuts } from './telemetry.cuts.ts';
import { type Group, groupsOf, numbersOf } from './telemetry.groups.ts';
import { EVENTS, reading } from './telemetry.reading.ts';
import { type GroupValues, readDifference } from './telemetry.search-counters.ts';
import { isGapInWindow } from './telemetry.weights.ts';
import { instantIn, type SearchScope, whereIn } from './telemetry.where.ts';

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Values that come from one event and the next of the same stream (device and source), by group. A time-weighted
 * average and an integral weigh each value by the time until the next one, which is cut at the edges of intervals. Gaps count
 * nothing: the pauses that are gaps to charts as well, or those that are longer than somebody asked for.
 */
export async function readOverTime(
  scope: SearchScope,
  aggregation: Aggregation,
  field: string,
  depth: number,
): Promise<GroupValues> {
  return aggregation.type === 'difference'
    ? readDifference(scope, aggregation, field, depth)
    : readWeighted(scope, aggregation, field, depth);
}

/** Every value of the field with its group keys (`g0`…), its instant (`at`), and what follows or precedes in its stream. */
async function streamOf(
  scope: SearchScope,
  aggregation: Aggregation,
  field: string,
  beside: string,
): Promise<{ sql: string; groups: Group[]; bound: Bound }> {
  const bound = new Bound();
  const groups = await groupsOf(scope, aggregation, bound);
  const value = numbersOf(columnOf(scope.table, scope.fields, field, bound));
  if (value === null) throw invalid('issue.aggregation_numbers', { field }, 'aggs');
  const at = instantIn(scope, scope.query.dateField, bound);
  const keys = groups.map(({ sql }, i) => `${sql} AS g${i}, `).join('');
  const sql = `(SELECT *, ${beside} FROM (
      SELECT ${keys}device, source, msg_id, assumeNotNull(toFloat64(${value})) AS v, assumeNotNull(${at}) AS at
      FROM ${EVENTS} WHERE ${whereIn(scope, bound)} AND isNotNull(${value}) AND isNotNull(${at}))
    WINDOW w AS (PARTITION BY device, source ORDER BY at, msg_id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING))`;
  return { sql, groups, bound };
}

const keyList = (depth: number): string[] => Array.from({ length: depth }, (_, i) => `g${i}`);
const groupedBy = (depth: number): string => (depth > 0 ? `GROUP BY ${keyList(depth).join(', ')}` : '');

async function readWeighted(
  scope: SearchScope,
  aggregation: Aggregation,
  field: string,
  depth: number,
): Promise<GroupValues> {
  const next = 'leadInFrame(toNullable(v)) OVER w AS v2, leadInFrame(toNullable(at)) OVER w AS at2';
  const { sql: stream, groups, bound } = await streamOf(scope, aggregation, field, next);
  const cutAt = groups.findIndex(({ isOnTime }) => isOnTime);
  const cuts = groups[cutAt]?.cuts ?? null;
  const isWithin = cuts ? `(${cuts.sql('assumeNotNull(at2) - 1', bound)}) = g${cutAt}` : '1';
  const { maxGapMs, interpolation } = aggregation;
  const sql = maxGapMs === null ? withGaps(stream) : stream;
  const isKnown = maxGapMs === null ? 'NOT isGap' : `at2 - at <= ${bound.add(maxGapMs, 'Float64')}`;
  const height = interpolation === 'linear' ? '(v + assumeNotNull(v2)) / 2' : 'v';
  const keys = keyList(depth)
    .map((key) => `${key}, `)
    .join('');
  const counted = `isNotNull(at2) AND at2 > at AND ${isKnown}`;
  const [whole, cut] = await Promise.all([
    scope.clickhouse.queryRows<Cell[]>(
      `SELECT ${keys}sum(${height} * (at2 - at)), toFloat64(sum(at2 - at)) FROM ${sql}
       WHERE ${counted} AND ${isWithin} ${groupedBy(depth)}`,
      reading(bound, scope.signal),
    ),
    cuts === null
      ? []
      : scope.clickhouse.queryRows<Cell[]>(
          `SELECT ${keys}toFloat64(at), v, toFloat64(at2), v2 FROM ${sql} WHERE ${counted} AND NOT (${isWithin})`,
          reading(bound, scope.signal),
        ),
  ]);
  const sums = new Sums();
  for (const row of whole) sums.add(row.slice(0, depth), Number(row[depth]), Number(row[depth + 1]));
  for (const row of cut) {
    const [at, v, at2, v2] = row.slice(depth).map(Number) as [number, number, number, number];
    const piece = { at, v, at2, v2: interpolation === 'linear' ? v2 : v };
    for (const { start, area, ms } of pieces(piece, cuts as Cuts)) {
      sums.add(row.slice(0, depth).with(cutAt, start), area, ms);
    }
  }
  return sums.values(aggregation);
}

/** With whether what follows each value is a gap. Of several values of one instant the last stands. */
const withGaps = (stream: string): string =>
  `(SELECT *, ${isGapInWindow('p', 'w')} AS isGap FROM (SELECT *, at2 - at AS p FROM ${stream} WHERE isNull(at2) OR at2 > at)
    WINDOW w AS (PARTITION BY device, source ORDER BY at ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING))`;

/** The stretch between two values, in the pieces that intervals cut it into; straight between them. */
function* pieces(
  { at, v, at2, v2 }: { at: number; v: number; at2: number; v2: number },
  cuts: Cuts,
): Generator<{ start: number; area: number; ms: number }> {
  const heightAt = (ms: number) => v + ((v2 - v) * (ms - at)) / (at2 - at);
  for (let from = at; from < at2; ) {
    const start = cuts.startOf(from);
    const to = Math.min(at2, cuts.endOf(start) ?? at2);
    yield { start, area: ((heightAt(from) + heightAt(to)) / 2) * (to - from), ms: to - from };
    from = to;
  }
}

/** Areas and durations by group. */
class Sums {
  readonly #groups = new Map<string, { keys: Cell[]; area: number; ms: number }>();

  add(keys: Cell[], area: number, ms: number): void {
    const id = JSON.stringify(keys);
    const known = this.#groups.get(id);
    if (known) {
      known.area += area;
      known.ms += ms;
    } else this.#groups.set(id, { keys, area, ms });
  }

  values({ type, unit }: Aggregation): GroupValues {
    return [...this.#groups.values()]
      .filter(({ ms }) => ms > 0)
      .map(({ keys, area, ms }) => ({ keys, value: type === 'integral' ? area / UNIT_MS[unit] : area / ms }));
  }
}
