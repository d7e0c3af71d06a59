import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import type { TablePart } from '../database/workgroup-part.tables.ts';
import type { WorkgroupPart } from '../house/workgroup-part.ts';
import type { WorkgroupAdminStore } from './workgroup-admin.store.ts';

interface Sources {
  store: WorkgroupAdminStore;
  parts: readonly WorkgroupPart[];
  /** 0 to 1. */
  progress: (fraction: number) => void;
}

/**
 * A gzip tar of the workgroup: `records/<table>-<page>.json`, `images/<kind>.<type>`, `attachments/<ticket>/<file>` and
 * `telemetry/<table>/<page>.ndjson`.
 *
 * It is made as it is read, piece by piece, so that its size does not matter; what is destroyed ends the making. Reading
 * it fails where the making does.
 */
export function exportOf(workgroup: string, of: Sources): Readable {
  const archive = pack();
  const out = new PassThrough();
  const closed = new AbortController();
  // Its failure is that of the reader, whom the pipeline tells.
  pipeline(archive, createGzip({ level: 6 }), out)
    .catch(() => {})
    .finally(() => closed.abort());
  fill(new Archive(archive, closed.signal), workgroup, of).then(
    () => archive.finalize(),
    (error: unknown) => archive.destroy(error as Error),
  );
  return out;
}

async function fill(archive: Archive, workgroup: string, { store, parts, progress }: Sources): Promise<void> {
  for await (const { table, page, rows } of store.records(workgroup, tablesOf(parts))) {
    await archive.add(`records/${table}-${page}.json`, `${JSON.stringify(rows, null, 1)}\n`);
  }
  for (const [index, { exported }] of parts.entries()) {
    progress(index / parts.length);
    if (!exported) continue;
    for await (const file of exported(workgroup, archive.signal)) {
      if ('size' in file) await archive.addFile(file.name, file.size, file.content);
      else await archive.add(file.name, file.content);
    }
  }
}

/** The tables of all parts. */
export const tablesOf = (parts: readonly WorkgroupPart[]): TablePart[] =>
  parts.flatMap(({ tables }) => tables ?? []);

/** Takes one entry after the other; an entry is in when the reader took it, so that the archive never grows in memory. */
class Archive {
  readonly signal: AbortSignal;
  readonly #pack: ReturnType<typeof pack>;
  readonly #closed: Promise<never>;

  constructor(archive: ReturnType<typeof pack>, signal: AbortSignal) {
    this.#pack = archive;
    this.signal = signal;
    this.#closed = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('The export was broken off.')), { once: true });
    });
    this.#closed.catch(() => {});
  }

  async add(name: string, content: string | Uint8Array): Promise<void> {
    const bytes = Buffer.from(content as Uint8Array);
    const { entry, added } = this.#entry(name, bytes.length);
    entry.end(bytes);
    await added;
  }

  async addFile(name: string, size: number, bytes: Readable): Promise<void> {
    const { entry, added } = this.#entry(name, size);
    await Promise.all([pipeline(bytes, entry, { signal: this.signal }), added]);
  }

  #entry(name: string, size: number) {
    let settle: (error?: Error | null) => void = () => {};
    const done = new Promise<void>((resolve, reject) => {
      settle = (error) => (error ? reject(error) : resolve());
    });
    const entry = this.#pack.entry({ name, size, mtime: new Date() }, (error) => settle(error));
    // One that is open when the archive is broken off fails as well, and what nobody hears of ends the server.
    entry.on('error', settle);
    return { entry, added: Promise.race([done, this.#closed]) };
  }
}
