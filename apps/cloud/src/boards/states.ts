import type { StatePoints, StatesQuestion } from '@albedo/contract/boards/answers.schema';
import { intervalFor, lengthOf } from '@albedo/contract/telemetry/intervals';
import { searchQuery } from '@albedo/contract/telemetry/search.schema';
import type { SeriesKey } from '@albedo/contract/telemetry/telemetry.schema';
import type { TelemetryReader } from '../telemetry/telemetry.service.ts';

/** How a search answers groups; the innermost ones have the value. */
interface Bucket {
  key: string | number;
  buckets?: Bucket[];
  [AGGREGATION]?: { value: number | string | null };
}
const AGGREGATION = 'state';

/** The last state of each interval, in the place of each stream. States may be words, of which there is no series. */
export async function statesOf(
  reader: TelemetryReader,
  { streams, from, to, maxPoints, timezone }: StatesQuestion,
  signal: AbortSignal,
): Promise<StatePoints[]> {
  const interval = intervalFor(to - from, maxPoints);
  const found = new Map<string, Bucket[]>();
  for (const all of Map.groupBy(streams, ({ table, field }) => `${table}\0${field}`).values()) {
    const [{ table, field }] = all as [SeriesKey];
    const among = (name: 'device' | 'source') => ({
      ...{ field: name, operator: 'IN' },
      value: [...new Set(all.map((one) => one[name]))],
    });
    const query = searchQuery.parse({
      filters: [among('device'), among('source'), { field, operator: 'EXISTS' }],
      ...{ timeframe: { from, to }, timezone, rows: 0 },
      aggs: [
        {
          ...{ name: AGGREGATION, type: 'last', field },
          groupBy: ['device', 'source', { field: 'event_time', interval }],
        },
      ],
    });
    const { aggregations } = await reader.search(table, query, signal);
    const { buckets = [] } = (aggregations[AGGREGATION] ?? {}) as { buckets?: Bucket[] };
    for (const { key: device, buckets: sources = [] } of buckets)
      for (const { key: source, buckets: steps = [] } of sources)
        found.set(keyOf({ device: String(device), table, source: String(source), field }), steps);
  }
  const stepMs = lengthOf(interval);
  return streams.map((stream) => {
    const points: StatePoints = { stepMs, times: [], values: [] };
    for (const { key, [AGGREGATION]: state } of found.get(keyOf(stream)) ?? []) {
      if (state?.value === null || state?.value === undefined) continue;
      points.times.push(Number(key));
      points.values.push(state.value);
    }
    return points;
  });
}

const keyOf = ({ device, table, source, field }: SeriesKey): string =>
  [device.toLowerCase(), table, source, field].join('\0');
