import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClickHouse, connectClickHouse } from '@albedo/clickhouse/client';
import { startEmbeddedClickHouse } from '@albedo/clickhouse/embedded';
import type { BatchField, BatchRow } from '@albedo/contract/link/link.messages';
import { type SearchQuery, searchQuery } from '@albedo/contract/telemetry/search.schema';
import type { z } from 'zod';
import type { TelemetryBlock } from './telemetry.blocks.ts';
import { TelemetryStore } from './telemetry.store.ts';

export const log = { info() {}, warn() {} };

/** A telemetry store on an embedded engine in a folder of its own, for tests. */
export async function openTestStore(): Promise<{
  clickhouse: ClickHouse;
  store: TelemetryStore;
  stop(): Promise<void>;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'albedo-telemetry-'));
  const embedded = await startEmbeddedClickHouse({ dataDir: folder, log });
  const clickhouse = connectClickHouse(embedded);
  const store = new TelemetryStore({ clickhouse, log });
  await store.start();
  return {
    clickhouse,
    store,
    stop: async () => {
      await store.stop();
      await clickhouse.close();
      await embedded.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const DEVICE = '7d444840-9dc0-41d1-b245-5ffdce74fad2';
export const OTHER_DEVICE = '9a444840-9dc0-41d1-b245-5ffdce74fad2';

/** Fields by name: a type, or a type and units. */
type Fields = Record<string, BatchField['type'] | [BatchField['type'], string]>;

export function block(
  table: string,
  fields: Fields,
  rows: BatchRow[],
  rest: { workgroup?: string; device?: string; source?: string } = {},
): TelemetryBlock {
  return {
    workgroup: rest.workgroup ?? 'hill',
    device: rest.device ?? DEVICE,
    stream: {
      table,
      source: rest.source ?? 'inv-01',
      fields: Object.entries(fields).map(([name, type]) =>
        typeof type === 'string' ? { name, type } : { name, type: type[0], units: type[1] },
      ),
    },
    rows,
  };
}

export const query = (given: z.input<typeof searchQuery>): SearchQuery => searchQuery.parse(given);
