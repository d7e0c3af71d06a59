import type { LatestValue } from '@albedo/contract/latest-values/latest-values.schema';
import type { SeriesKey } from '@albedo/contract/telemetry/telemetry.schema';
import type { Caller } from '../access/caller.ts';
import { AppError } from '../errors/app-error.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';

/** Newest values of single fields, over all devices that somebody sees. */
export class LatestValues {
  readonly #telemetry: Telemetry;

  constructor(telemetry: Telemetry) {
    this.#telemetry = telemetry;
  }

  /** Throws `table.not_found`, `table.field_unknown`, `search.timed_out`, `request.forbidden`. */
  async ofField(
    by: Caller,
    { table, field, groupBy }: { table: string; field: string; groupBy: 'device' | 'source' },
    signal?: AbortSignal,
  ): Promise<LatestValue[]> {
    const asked = this.#telemetry.for(by).latestOf(table, field, signal);
    const values = await (table === BLACK_BOX ? asked.catch(namedLatest) : asked);
    if (groupBy === 'source') return values;
    const newest = new Map<string, LatestValue>();
    for (const one of values) {
      const known = newest.get(one.device);
      if (!known || known.eventAt < one.eventAt) newest.set(one.device, one);
    }
    return [...newest.values()];
  }

  /** In the order of the streams, with one question for each field; null where there is nothing to see. */
  async ofStreams(
    by: Caller,
    streams: readonly SeriesKey[],
    signal?: AbortSignal,
  ): Promise<(Pick<LatestValue, 'eventAt' | 'value'> | null)[]> {
    const fields = new Map<string, Map<string, BySource>>();
    for (const { table, field } of streams) {
      const ofTable = fields.get(table) ?? new Map<string, BySource>();
      fields.set(table, ofTable);
      if (ofTable.has(field)) continue;
      const values = await this.#telemetry.for(by).latestOf(table, field, signal).catch(noneIfAbsent);
      ofTable.set(field, bySource(values));
    }
    return streams.map(({ device, table, source, field }) => {
      const found = fields.get(table)?.get(field)?.get(device.toLowerCase())?.get(source);
      return found ? { eventAt: found.eventAt, value: found.value } : null;
    });
  }
}

const BLACK_BOX = 'black_box';

/** Health that could not be read says so in the log. Source: specification 2, section 8. */
function namedLatest(cause: unknown): never {
  if (cause instanceof AppError) throw cause;
  throw new Error('latest results not returned from table black_box', { cause });
}

/** By device and source. */
type BySource = Map<string, Map<string, LatestValue>>;

/** Maps inside of maps: a name of several parts would be made ten thousand times. */
function bySource(values: readonly LatestValue[]): BySource {
  const all: BySource = new Map();
  for (const one of values) {
    const known = all.get(one.device);
    if (known) known.set(one.source, one);
    else all.set(one.device, new Map([[one.source, one]]));
  }
  return all;
}

/** To those who ask for many streams, one that is not there, or not for them, has no value. */
function noneIfAbsent(error: unknown): never[] {
  if (error instanceof AppError && (ABSENT.has(error.status) || error.error === 'table.field_unknown'))
    return [];
  throw error;
}

const ABSENT: ReadonlySet<number> = new Set([403, 404]);
