import { join } from 'node:path';
import { connectClickHouse } from '@albedo/clickhouse/client';
import { startEmbeddedClickHouse } from '@albedo/clickhouse/embedded';

const quiet = { info: () => {}, warn: () => {} };

/** How often each value of the field `n` is stored, by device and table. */
export type StoredRows = Map<string, Map<number, number>>;

export const storedKey = (device: string, table: string): string => `${device} ${table}`;

/** Counts in the store itself, by SQL and without any part of the cloud, which must not run. */
export async function storedRows(dataDir: string): Promise<StoredRows> {
  const engine = await startEmbeddedClickHouse({ dataDir: join(dataDir, 'telemetry'), log: quiet });
  const clickhouse = connectClickHouse(engine);
  try {
    const found: StoredRows = new Map();
    const slots = await clickhouse.queryRows<[string, number]>(
      "SELECT tbl, slot FROM telemetry.fields FINAL WHERE field = 'n' AND kind = 'n'",
    );
    for (const [table, slot] of slots) {
      const rows = await clickhouse.queryRows<[string, number, string]>(
        `SELECT toString(device), n${slot} AS n, count() FROM telemetry.events FINAL
         WHERE tbl = {table:String} AND n IS NOT NULL GROUP BY device, n`,
        { params: { table } },
      );
      for (const [device, n, count] of rows) {
        const key = storedKey(device, table);
        const values = found.get(key) ?? new Map<number, number>();
        found.set(key, values.set(n, Number(count)));
      }
    }
    return found;
  } finally {
    await clickhouse.close();
    await engine.stop();
  }
}
