import type { ClickHouse } from '@albedo/clickhouse/client';

/** One piece of a table, as it lies on the disk. */
export interface StorePart {
  table: string;
  part: string;
  rows: number;
}

/** A piece that is not read any more: the engine could not open it when it started, or it was taken out here. */
export interface DetachedPart {
  table: string;
  part: string;
  reason: string;
}

const SETTINGS = { max_execution_time: 600, max_threads: 1 };
const quoted = (name: string): string => `\`${name.replace(/[\\`]/g, '\\$&')}\``;

/** The name of a part, where the grammar wants a literal; the engine gives such names. */
function named(part: string): string {
  if (!/^\w+$/.test(part)) throw new Error(`${part} is no name of a part`);
  return `'${part}'`;
}

/** All parts that are read, what was written last first. */
export async function listParts(clickhouse: ClickHouse): Promise<StorePart[]> {
  const rows = await clickhouse.queryRows<[string, string, string]>(
    `SELECT table, name, rows FROM system.parts WHERE database = 'telemetry' AND active
     ORDER BY modification_time DESC, table, name`,
  );
  return rows.map(([table, part, count]) => ({ table, part, rows: Number(count) }));
}

/** What the engine found broken when it opened the folder; it went on without it. */
export async function brokenParts(clickhouse: ClickHouse): Promise<DetachedPart[]> {
  const rows = await clickhouse.queryRows<[string, string, string]>(
    `SELECT table, name, reason FROM system.detached_parts
     WHERE database = 'telemetry' AND (reason LIKE 'broken%' OR reason = 'unexpected' OR reason LIKE 'covered-by-broken')`,
  );
  return rows.map(([table, part, reason]) => ({ table, part, reason }));
}

/** Reads a part against its checksums. Why it is damaged; null when it is whole, or gone since (merged). */
export async function damageOf(clickhouse: ClickHouse, { table, part }: StorePart): Promise<string | null> {
  try {
    const [checked] = await clickhouse.query<{ is_passed: number; message: string }>(
      `CHECK TABLE telemetry.${quoted(table)} PART ${named(part)}`,
      { settings: SETTINGS },
    );
    return !checked || Number(checked.is_passed) === 1 ? null : checked.message;
  } catch (error) {
    if (String((error as { code?: unknown }).code) === NO_SUCH_PART) return null;
    throw error;
  }
}

/** Source: src/Common/ErrorCodes.cpp, NO_SUCH_DATA_PART. */
const NO_SUCH_PART = '232';

/**
 * Takes a damaged part out of its table, so that what is beside it can be read again; it stays on the disk, in the folder
 * `detached`. Of events, what can be read is stored once more before: day by day of each table, which are the pieces that a
 * flipped bit leaves whole.
 */
export async function setAsidePart(
  clickhouse: ClickHouse,
  { table, part, rows }: StorePart,
): Promise<{ saved: number; lost: number }> {
  const saved = table === 'events' ? await saveReadable(clickhouse, part) : 0;
  await clickhouse.exec(`ALTER TABLE telemetry.${quoted(table)} DETACH PART ${named(part)}`);
  return { saved, lost: Math.max(0, rows - saved) };
}

async function saveReadable(clickhouse: ClickHouse, part: string): Promise<number> {
  let saved = 0;
  for (const [workgroup, table, day] of await daysOf(clickhouse, part)) {
    const params = { part, workgroup, table, day };
    const here =
      '_part = {part:String} AND workgroup = {workgroup:String} AND tbl = {table:String} AND toDate(event_time) = {day:String}';
    try {
      const [counted] = await clickhouse.queryRows<[string]>(
        `SELECT count() FROM telemetry.events WHERE ${here}`,
        { params, settings: SETTINGS },
      );
      await clickhouse.exec(
        `INSERT INTO telemetry.events SELECT * FROM telemetry.events WHERE ${here} SETTINGS insert_deduplicate = 0`,
        { params, settings: SETTINGS },
      );
      saved += Number(counted?.[0] ?? 0);
    } catch {
      // This day is what is damaged; the others are read on.
    }
  }
  return saved;
}

async function daysOf(clickhouse: ClickHouse, part: string): Promise<[string, string, string][]> {
  try {
    return await clickhouse.queryRows<[string, string, string]>(
      `SELECT DISTINCT workgroup, tbl, toString(toDate(event_time)) FROM telemetry.events WHERE _part = {part:String}`,
      { params: { part }, settings: SETTINGS },
    );
  } catch {
    // Not even the names can be read.
    return [];
  }
}
