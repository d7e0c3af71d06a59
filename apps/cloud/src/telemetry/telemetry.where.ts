import type { ClickHouse } from '@albedo/clickhouse/client';
import type { DeviceScope } from '../access/device-scope.ts';
import type { TableFields } from './telemetry.catalog.ts';
import { type Bound, columnOf } from './telemetry.columns.ts';
import { whereOf } from './telemetry.filters.ts';
import type { ResolvedQuery } from './telemetry.query.ts';

/** One search while it runs. */
export interface SearchScope {
  clickhouse: ClickHouse;
  workgroup: string;
  devices: DeviceScope;
  table: string;
  fields: TableFields;
  query: ResolvedQuery;
  signal: AbortSignal | undefined;
}

export const whereIn = ({ workgroup, devices, table, fields, query }: SearchScope, bound: Bound): string =>
  whereOf(workgroup, devices, table, fields, query, bound);

/** The instant of an event in a date field, Int64 or null, epoch ms. Null where the field holds no instants. */
export function instantIn({ table, fields }: SearchScope, field: string, bound: Bound): string | null {
  const { t, n, type } = columnOf(table, fields, field, bound);
  if (t !== null) return `toUnixTimestamp64Milli(${t})`;
  return type === 'date' ? `toInt64(${n})` : null;
}
