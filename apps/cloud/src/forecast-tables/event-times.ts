import { type BatchField, type BatchRow, DEVICE_TIME } from '@albedo/contract/link/link.messages';

/** What is further ahead would stay the newest value for that long: it gets the cloud's time, beside its own. */
export const FUTURE_MS = 86_400_000;
/** No forecast reaches so far: a clock that runs wild. */
const LAST_FORECAST_MS = Date.UTC(2100, 0, 1);

/** Rows of one stream, as they came. */
export interface Rows {
  fields: BatchField[];
  rows: BatchRow[];
}

/**
 * Rows each with the time that counts. Those of a table of forecasts have their own. Else each that is more than a day ahead
 * gets the time of its arrival by itself, whatever stands beside it, and keeps its own in `DEVICE_TIME`, the last field.
 */
export function withGoodTimes<S extends Rows>(stream: S, now: number, holdsForecasts: boolean): S[] {
  const latest = holdsForecasts ? LAST_FORECAST_MS : now + FUTURE_MS;
  if (!stream.rows.some(([, at]) => at > latest)) return [stream];
  const good = stream.rows.filter(([, at]) => at <= latest);
  const ahead = stream.rows.filter(([, at]) => at > latest);
  return [...(good.length > 0 ? [{ ...stream, rows: good }] : []), withTimeOfArrival(stream, ahead, now)];
}

function withTimeOfArrival<S extends Rows>(stream: S, rows: readonly BatchRow[], now: number): S {
  const own = stream.fields.findIndex(({ name }) => name === DEVICE_TIME);
  const without = <T>(list: readonly T[]) => list.filter((_, at) => at !== own);
  return {
    ...stream,
    fields: [...without(stream.fields), { name: DEVICE_TIME, type: 'date' }],
    rows: rows.map(([id, at, ...values]): BatchRow => [id, now, ...without(values), at]),
  };
}

/** Whether the events of a stream have the time of their arrival. */
export const hasTimeOfArrival = ({ fields }: Pick<Rows, 'fields'>): boolean => {
  const last = fields.at(-1);
  return last?.name === DEVICE_TIME && last.type === 'date';
};
