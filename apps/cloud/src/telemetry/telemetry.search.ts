import type { Aggregation, SearchResult } from '@albedo/contract/telemetry/search.schema';
import { aggregate, type Bucket, isAnalysis } from './telemetry.aggregate.ts';
import { type Cells, cells } from './telemetry.columns.ts';
import { type Cursor, findPage, type Page } from './telemetry.records.ts';
import type { SearchScope } from './telemetry.where.ts';

/** One search of one table: a page of records, how many there are in all, and the aggregations. */
export async function search(
  scope: SearchScope,
  rows: number,
): Promise<{ result: SearchResult; next: Cursor | null }> {
  const started = performance.now();
  const { aggs } = scope.query;
  const [page, ...buckets] = await Promise.all([
    findPage(scope, rows, null),
    ...aggs.map((aggregation) => aggregate(scope, aggregation)),
  ]);
  const named = aggs.map((of, i) => ({ of, buckets: buckets[i] ?? [] }));
  const result = {
    ...pageResult(page, page.total, started),
    aggregations: Object.fromEntries(named.map(({ of, buckets: all }) => [of.name, { buckets: all }])),
    ...statsOf(named),
    ...datasetOf(scope, named),
  };
  return { result, next: page.next };
}

/** A further page of a search. */
export async function continueSearch(
  scope: SearchScope,
  of: { rows: number; from: Cursor; totalRecords: number },
): Promise<{ result: SearchResult; next: Cursor | null }> {
  const started = performance.now();
  const page = await findPage(scope, of.rows, of.from);
  return { result: pageResult(page, of.totalRecords, started), next: page.next };
}

const pageResult = ({ records }: Page, totalRecords: number, started: number): SearchResult => ({
  records,
  totalRecords,
  took: Math.round(performance.now() - started),
  aggregations: {},
  timedOut: false,
});

interface Named {
  of: Aggregation;
  buckets: Bucket[];
}

/** The values of aggregations without groups. */
function statsOf(all: Named[]): Pick<SearchResult, 'stats'> {
  const plain = all.filter(({ of }) => of.groupBy.length === 0 && !isAnalysis(of) && of.type !== 'latest');
  if (plain.length === 0) return {};
  return {
    stats: Object.fromEntries(plain.map(({ of, buckets: [bucket] }) => [of.name, shownValue(of, bucket)])),
  };
}

function shownValue({ type, fields, name }: Aggregation, bucket: Bucket | undefined): unknown {
  if (type === 'count' && fields.length === 0) return bucket?.doc_count ?? 0;
  return (bucket?.[name] as { value?: unknown } | undefined)?.value ?? null;
}

/** One row for each interval and category, with the value of every analysis. */
function datasetOf(scope: SearchScope, all: Named[]): Pick<SearchResult, 'dataset' | 'valueFields'> {
  const analyses = all.filter(({ of }) => isAnalysis(of));
  if (analyses.length === 0) return {};
  const rows = new Map<string, Cells>();
  const row = (category: string | undefined, key: Bucket['key'], at: Bucket['key']): Cells => {
    const id = JSON.stringify([category, key, at]);
    const known = rows.get(id) ?? cells();
    rows.set(id, known);
    if (category !== undefined) known[category] = key;
    known[scope.query.dateField] = at;
    return known;
  };
  for (const { of, buckets } of analyses) {
    const groups = of.category === undefined ? [{ key: null, buckets }] : buckets;
    for (const { key, buckets: points } of groups as { key: Bucket['key']; buckets: Bucket[] }[]) {
      for (const point of points)
        row(of.category, key, point.key)[of.name] = shownValue(of, point) as Cells[string];
    }
  }
  return { dataset: [...rows.values()], valueFields: analyses.map(({ of }) => of.name) };
}
