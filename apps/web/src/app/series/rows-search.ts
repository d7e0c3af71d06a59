import { rangeToText, type Span } from '../../ui/time-range/time-range.ts';

interface Stream {
  deviceId: string;
  table: string;
  source: string;
  field: string;
}

/** The search part of the address at which `/search` shows the rows of a stream over a range; `zone` is that of its clock. */
export const rowsSearch = (
  { deviceId, table, source, field }: Stream,
  span: Span,
  zone: string,
): Record<string, unknown> => ({
  table,
  range: rangeToText({ kind: 'absolute', ...span }),
  tz: zone,
  f: [
    { field: 'device', operator: '=', value: deviceId },
    { field: 'source', operator: '=', value: source },
  ],
  cols: ['event_time', 'source', field],
});
