import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { ALL_DEVICES } from '../device-groups/device-scope.ts';
import type { TelemetryStore } from '../telemetry/telemetry.store.ts';
import type { WorkgroupAdminStore } from './workgroup-admin.store.ts';

const EVENTS_A_FILE = 10_000;
const PAST = { from: 0, to: Date.UTC(2100, 0, 1) };

/**
 * A gzip tar of the workgroup: `records/<table>-<page>.json` and `telemetry/<table>/<page>.ndjson`, newest first.
 *
 * It is made as it is read, page by page, so that its size does not matter; who hangs up ends the making.
 */
export function exportOf(
  workgroup: string,
  of: { store: WorkgroupAdminStore; telemetry: TelemetryStore; onError: (error: unknown) => void },
): Readable {
  const archive = pack();
  const out = new PassThrough();
  pipeline(archive, createGzip({ level: 6 }), out).catch((error: unknown) => {
    // A client that hung up is no failure.
    if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') of.onError(error);
  });
  fill(archive, workgroup, of).then(
    () => archive.finalize(),
    (error: unknown) => archive.destroy(error as Error),
  );
  return out;
}

async function fill(
  archive: ReturnType<typeof pack>,
  workgroup: string,
  { store, telemetry }: { store: WorkgroupAdminStore; telemetry: TelemetryStore },
): Promise<void> {
  const closed = new Promise<never>((_resolve, reject) => {
    archive.once('close', () => reject(new Error('The export was broken off.')));
  });
  closed.catch(() => {});
  const add = (name: string, text: string) => {
    const bytes = Buffer.from(text);
    const added = new Promise<void>((resolve, reject) => {
      // An entry is done when the reader took it, so that the archive never grows in memory.
      const entry = archive.entry({ name, size: bytes.length, mtime: new Date() }, (error) =>
        error ? reject(error) : resolve(),
      );
      entry.end(bytes);
    });
    return Promise.race([added, closed]);
  };
  for await (const { table, page, rows } of store.records(workgroup)) {
    await add(`records/${table}-${page}.json`, `${JSON.stringify(rows, null, 1)}\n`);
  }
  for (const table of await telemetry.tables(workgroup, ALL_DEVICES)) {
    let before: { at: number; msgId: string } | null = null;
    for (let page = 0; ; page++) {
      const query = { timeframe: PAST, filters: [], text: null, before, rows: EVENTS_A_FILE };
      const events = await telemetry.page(workgroup, ALL_DEVICES, table, query);
      const last = events.at(-1);
      if (!last) break;
      const lines = events.map((event) => JSON.stringify(event)).join('\n');
      await add(`telemetry/${encodeURIComponent(table)}/${page}.ndjson`, `${lines}\n`);
      if (events.length < EVENTS_A_FILE) break;
      before = { at: Date.parse(String(last.event_time)), msgId: String(last.msg_id) };
    }
  }
}
