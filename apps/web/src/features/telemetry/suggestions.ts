import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import { compareNames } from '@albedo/contract/telemetry/name-order';
import type { TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { titleOf } from '../../app/series/chart-layout.ts';
import type { ChartLine } from '../../app/series/chart-lines.ts';
import { headlines, rankOf } from '../../app/series/field-order.ts';
import { isPlumbing, unitsOf } from '../../app/series/source-groups.ts';

export interface Suggestion {
  label: string;
  lines: ChartLine[];
}

const OFFERS = 6;
const FIELDS_OF_A_TABLE = 3;
const LINES = 12;

/** What is worth drawing first: the headlines of each table, of all its sources, power before anything else. */
export function suggest(
  sources: readonly LatestSource[],
  tables: ReadonlyMap<string, TableInfo>,
): Suggestion[] {
  const byTable = Map.groupBy(
    sources.filter((one) => !isPlumbing(one)),
    (one) => one.table,
  );
  const offers = [...byTable].flatMap(([table, members]) => {
    const sorted = members.toSorted((a, b) => compareNames(a.source, b.source));
    const values = Object.assign({}, ...sorted.map((one) => one.values)) as LatestSource['values'];
    const unitOf = (field: string) => unitsOf(tables, table, field);
    return headlines(values, unitOf, FIELDS_OF_A_TABLE).map((field) => ({
      rank: rankOf(values[field], unitOf(field)),
      lines: sorted
        .filter((one) => field in one.values)
        .map((one) => ({ table, source: one.source, field }))
        .slice(0, LINES),
    }));
  });
  return offers
    .toSorted((a, b) => a.rank - b.rank || b.lines.length - a.lines.length)
    .slice(0, OFFERS)
    .map(({ lines }) => ({ label: titleOf(lines), lines }));
}
