import type { ClickHouse } from '@albedo/clickhouse/client';
import { type Kind, SLOTS } from './telemetry.blocks.ts';
import { PIECE_COLUMNS } from './telemetry.day-pieces.ts';

/** Names of the numbered columns of a kind: n0, n1, … */
export const slotColumns = (kind: Kind): string[] =>
  Array.from({ length: SLOTS[kind] }, (_, slot) => `${kind}${slot}`);

const COLUMNS = [
  'workgroup LowCardinality(String)',
  'tbl LowCardinality(String)',
  'device UUID',
  'source LowCardinality(String)',
  "event_time DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1))",
  "store_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1))",
  'msg_id UInt64 CODEC(DoubleDelta, ZSTD(1))',
  "expires Date DEFAULT toDate('2149-06-06') CODEC(ZSTD(1))",
  ...slotColumns('n').map((name) => `${name} Nullable(Float64) CODEC(ZSTD(1))`),
  ...slotColumns('s').map((name) => `${name} Nullable(String) CODEC(ZSTD(1))`),
  'nx Map(LowCardinality(String), Float64) CODEC(ZSTD(1))',
  'sx Map(LowCardinality(String), String) CODEC(ZSTD(1))',
].join(',\n  ');

const STORAGE =
  "nullable_serialization_version = 'allow_sparse', min_bytes_for_wide_part = 268435456, old_parts_lifetime = 60, non_replicated_deduplication_window = 1000";
const DURABLE = 'fsync_after_insert = 1, fsync_part_directory = 1';

/**
 * Each does nothing where it was done. A statement that was released is never edited: a change of a table is one more, such
 * as `ALTER TABLE … ADD COLUMN IF NOT EXISTS`.
 */
const STATEMENTS = [
  'CREATE DATABASE IF NOT EXISTS telemetry',
  `CREATE TABLE IF NOT EXISTS telemetry.events (
  ${COLUMNS},
  INDEX store_time_range store_time TYPE minmax GRANULARITY 1
) ENGINE = ReplacingMergeTree(store_time)
PARTITION BY toYYYYMM(event_time)
PRIMARY KEY (workgroup, tbl, toDate(event_time), device, source, event_time)
ORDER BY (workgroup, tbl, toDate(event_time), device, source, event_time, msg_id)
TTL expires
SETTINGS ${STORAGE}, ${DURABLE}`,
  `CREATE TABLE IF NOT EXISTS telemetry.latest (
  ${COLUMNS}
) ENGINE = ReplacingMergeTree(event_time)
ORDER BY (workgroup, tbl, device, source)
TTL expires
SETTINGS ${STORAGE}`,
  `CREATE MATERIALIZED VIEW IF NOT EXISTS telemetry.latest_mv TO telemetry.latest AS
SELECT * FROM telemetry.events ORDER BY event_time DESC LIMIT 1 BY workgroup, tbl, device, source`,
  `CREATE TABLE IF NOT EXISTS telemetry.fields (
  workgroup LowCardinality(String), tbl LowCardinality(String), field String,
  kind Enum8('n' = 1, 's' = 2), slot Int16, type LowCardinality(String), units String,
  created DateTime64(3, 'UTC'), updated DateTime64(3, 'UTC'), retired UInt8 DEFAULT 0
) ENGINE = ReplacingMergeTree(updated) ORDER BY (workgroup, tbl, field, kind)
SETTINGS ${DURABLE}`,
  `CREATE TABLE IF NOT EXISTS telemetry.deletions (
  workgroup LowCardinality(String), tbl LowCardinality(String), before_ms Int64, at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(at) ORDER BY (workgroup, tbl)
SETTINGS ${DURABLE}`,
  // What streams measured on the days of a zone; c0 and so on are the columns of telemetry.day-pieces.ts. A day that is
  // to be read again has c0 = -1.
  `CREATE TABLE IF NOT EXISTS telemetry.days (
  workgroup LowCardinality(String), tbl LowCardinality(String), zone LowCardinality(String), field String,
  device UUID, source LowCardinality(String), day Date CODEC(DoubleDelta, ZSTD(1)),
  made DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  ${PIECE_COLUMNS.map((_, i) => `c${i} Float64 CODEC(ZSTD(1))`).join(', ')}
) ENGINE = ReplacingMergeTree(made) ORDER BY (workgroup, tbl, zone, field, device, source, day)
SETTINGS ${DURABLE}`,
  // Until when the events of a table were looked through for what is to be read again, by the time of storing.
  `CREATE TABLE IF NOT EXISTS telemetry.day_looks (
  workgroup LowCardinality(String), tbl LowCardinality(String), zone LowCardinality(String), looked DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(looked) ORDER BY (workgroup, tbl, zone)
SETTINGS ${DURABLE}`,
  // What the values of an hour of a stream come to. A month of a stream is 720 rows, hence the
  // small granules. `hour` counts since 1970, `first_at` and `last_at` are ms within it,
  // `shift` and `square` sums of such ms and of their squares. A backup takes tables by name: extents before hours, hours
  // before events, and what was forgotten last.
  `CREATE TABLE IF NOT EXISTS telemetry.chart_hours (
  workgroup LowCardinality(String), tbl LowCardinality(String), field String,
  device UUID, source LowCardinality(String), hour UInt32 CODEC(DoubleDelta, ZSTD(1)),
  made DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)), n UInt32 CODEC(ZSTD(1)),
  total Float64 CODEC(ZSTD(1)), low Float64 CODEC(ZSTD(1)), high Float64 CODEC(ZSTD(1)),
  first_at UInt32 CODEC(ZSTD(1)), last_at UInt32 CODEC(ZSTD(1)), first Float64 CODEC(ZSTD(1)), last Float64 CODEC(ZSTD(1)),
  shift Float64 CODEC(ZSTD(1)), square Float64 CODEC(ZSTD(1))
) ENGINE = ReplacingMergeTree(made) ORDER BY (workgroup, tbl, field, device, source, hour)
SETTINGS ${DURABLE}, index_granularity = 1024`,
  // Of which days (since 1970, UTC; the last one excluded) hours of a field are kept, and until when the time of storing was
  // looked through, and deletions were.
  `CREATE TABLE IF NOT EXISTS telemetry.chart_extents (
  workgroup LowCardinality(String), tbl LowCardinality(String), field String, since UInt16, until UInt16,
  looked DateTime64(3, 'UTC'), cuts DateTime64(3, 'UTC'), version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (workgroup, tbl, field)
SETTINGS ${DURABLE}`,
  // The last day on which somebody asked for a field over a long range.
  `CREATE TABLE IF NOT EXISTS telemetry.chart_asks (
  workgroup LowCardinality(String), tbl LowCardinality(String), field String, asked UInt16
) ENGINE = ReplacingMergeTree(asked) ORDER BY (workgroup, tbl, field)
SETTINGS ${DURABLE}`,
  // Events of a table before a day were deleted.
  `CREATE TABLE IF NOT EXISTS telemetry.forgotten_hours (
  workgroup LowCardinality(String), tbl LowCardinality(String), before_day UInt16, at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(at) ORDER BY (workgroup, tbl, before_day)
SETTINGS ${DURABLE}`,
  // Months of a table that were deleted on their own; `month_ms` is the first instant in UTC.
  `CREATE TABLE IF NOT EXISTS telemetry.deleted_months (
  workgroup LowCardinality(String), tbl LowCardinality(String), month_ms Int64, at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(at) ORDER BY (workgroup, tbl, month_ms)
SETTINGS ${DURABLE}`,
  // First instants of months that stayed because they are under a legal hold.
  'ALTER TABLE telemetry.deletions ADD COLUMN IF NOT EXISTS except_ms Array(Int64) DEFAULT []',
  // What a counter had counted within the hour by an older rule: no longer read.
  'ALTER TABLE telemetry.chart_hours ADD COLUMN IF NOT EXISTS rise Float64 DEFAULT nan CODEC(ZSTD(1))',
  // How many values of the hour are less than the one before; -1 in hours that were kept before this column was.
  'ALTER TABLE telemetry.chart_hours ADD COLUMN IF NOT EXISTS falls Int32 DEFAULT -1 CODEC(ZSTD(1))',
  // The version of what the columns of a day mean; 0 in days that were kept before there was one.
  'ALTER TABLE telemetry.days ADD COLUMN IF NOT EXISTS rule UInt16 DEFAULT 0 CODEC(ZSTD(1))',
];

/** Makes the telemetry tables where they are missing. */
export async function makeTables(clickhouse: ClickHouse): Promise<void> {
  for (const statement of STATEMENTS)
    if (!(await isDone(clickhouse, statement))) await clickhouse.exec(statement);
}

const NEW_COLUMN = /^ALTER TABLE telemetry\.(\w+) ADD COLUMN IF NOT EXISTS (\w+)/;

/**
 * Whether the column that a statement adds is there. The engine would write down anew what the table is like all the same, and on a
 * full disk leave nothing of it, so that the telemetry could never be opened again.
 */
async function isDone(clickhouse: ClickHouse, statement: string): Promise<boolean> {
  const [, table, column] = NEW_COLUMN.exec(statement) ?? [];
  if (table === undefined || column === undefined) return false;
  const rows = await clickhouse.queryRows(
    "SELECT 1 FROM system.columns WHERE database = 'telemetry' AND table = {table:String} AND name = {column:String}",
    { params: { table, column } },
  );
  return rows.length > 0;
}
