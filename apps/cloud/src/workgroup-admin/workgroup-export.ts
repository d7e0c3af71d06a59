import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import type { FileStore } from '../files/files.store.ts';
import type { WholeWorkgroup } from '../telemetry/telemetry.service.ts';
import type { WorkgroupAdminStore } from './workgroup-admin.store.ts';

/** Characters of a file of events; one is in memory at a time. */
const FILE_SIZE = 4_000_000;

interface Sources {
  store: WorkgroupAdminStore;
  telemetry: WholeWorkgroup;
  files: FileStore;
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

async function fill(
  archive: Archive,
  workgroup: string,
  { store, telemetry, files, progress }: Sources,
): Promise<void> {
  for await (const { table, page, rows } of store.records(workgroup)) {
    await archive.add(`records/${table}-${page}.json`, `${JSON.stringify(rows, null, 1)}\n`);
  }
  for (const { kind, type, content } of await store.images(workgroup)) {
    await archive.add(`images/${kind}.${extensionOf(type)}`, Buffer.from(content));
  }
  for (const { key, size } of await store.attachments(workgroup)) {
    const bytes = await files.get(key);
    // `support/<ticket>/<file>`: how it was called stands in the record of the file.
    if (bytes) await archive.addFile(key.replace(/^support\//, 'attachments/'), size, bytes);
  }
  const tables = await telemetry.tables();
  for (const [index, table] of tables.entries()) {
    progress(index / tables.length);
    let page = 0;
    let text = '';
    const write = async () => {
      if (text !== '') await archive.add(`telemetry/${encodeURIComponent(table)}/${page++}.ndjson`, text);
      text = '';
    };
    for await (const events of telemetry.everything(table, archive.signal)) {
      for (const event of events) text += `${JSON.stringify(event)}\n`;
      if (text.length >= FILE_SIZE) await write();
    }
    await write();
  }
}

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

  async add(name: string, content: string | Buffer): Promise<void> {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
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
    return { entry, added: Promise.race([done, this.#closed]) };
  }
}

/** `image/svg+xml` is `svg`. */
const extensionOf = (type: string): string => type.replace(/^.*\//, '').replace(/\+.*$/, '');
