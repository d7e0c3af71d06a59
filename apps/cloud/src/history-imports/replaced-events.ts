import { pipeline, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { AppError } from '../errors/app-error.ts';
import type { FileStore } from '../files/files.store.ts';
import type { NumberRange, Stretch, Telemetry } from '../telemetry/telemetry.service.ts';
import type { HistoryRow } from './history-imports.store.ts';
import type { ReplacedEvents } from './history-imports.tables.ts';
import type { HistoryEvent } from './history-mapper.ts';

/** From the first to the last event of each stream. */
export class Stretches {
  readonly #byStream = new Map<string, Stretch>();

  add({ device, table, source, at }: HistoryEvent): void {
    const key = `${device}\n${table}\n${source}`;
    const stretch = this.#byStream.get(key);
    if (!stretch) this.#byStream.set(key, { device, table, source, firstAt: at, lastAt: at });
    else if (at < stretch.firstAt) stretch.firstAt = at;
    else if (at > stretch.lastAt) stretch.lastAt = at;
  }

  all(): Stretch[] {
    return [...this.#byStream.values()];
  }
}

/**
 * Takes out of the store what others brought to these stretches, and keeps it as a file, so that an undo puts it back. `keep` hears
 * of the file before anything is deleted: a run that is repeated keeps what it finds then beside it.
 */
export async function takeOut(
  of: { telemetry: Telemetry; files: FileStore; keep: (all: ReplacedEvents[]) => Promise<void> },
  { id, workgroup, replaced }: Pick<HistoryRow, 'id' | 'workgroup' | 'replaced'>,
  range: NumberRange,
  stretches: readonly Stretch[],
): Promise<ReplacedEvents[]> {
  const store = of.telemetry.asSystem('history import');
  const { events, ranges } = await store.others(workgroup, range, stretches);
  if (events === 0) return replaced;
  const key = `history-imports/${id}/replaced-${replaced.length + 1}`;
  const lines = Readable.from(bytesOf(store.takeOthers(workgroup, range, stretches)), { objectMode: false });
  await of.files.put(
    key,
    pipeline(lines, createGzip(), () => {}),
  );
  const kept: ReplacedEvents = {
    key,
    streams: stretches.map(({ device, table, source }) => ({ device, table, source })),
    events,
    numbers: ranges.map(({ from }) => from),
    firstAt: stretches.reduce((least, { firstAt }) => Math.min(least, firstAt), Number.POSITIVE_INFINITY),
  };
  const all = [...replaced, kept];
  await of.keep(all);
  await store.forgetOthers(workgroup, range, stretches);
  return all;
}

async function* bytesOf(groups: AsyncIterable<Readable>): AsyncGenerator<Buffer> {
  for await (const group of groups) for await (const chunk of group) yield chunk as Buffer;
}

/** Puts back what an import took out. May be repeated. */
export async function putBack(
  of: { telemetry: Telemetry; files: FileStore },
  { workgroup, replaced }: Pick<HistoryRow, 'workgroup' | 'replaced'>,
): Promise<void> {
  const store = of.telemetry.asSystem('history import');
  await demandFiles(of.files, replaced);
  for (const { key, streams } of replaced) {
    const bytes = await of.files.get(key);
    if (!bytes) throw new Error(`The file ${key} is gone.`);
    await store.putBack(workgroup, streams, wholeLines(pipeline(bytes, createGunzip(), () => {})));
  }
}

/** Throws where one is gone. */
export async function demandFiles(files: FileStore, replaced: readonly ReplacedEvents[]): Promise<void> {
  for (const { key } of replaced) {
    const bytes = await files.get(key);
    if (!bytes) throw new AppError('history_import.lost');
    bytes.destroy();
  }
}

/** Bytes that are stored at once. */
const PIECE_BYTES = 8_000_000;

async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes < PIECE_BYTES) continue;
    const all = Buffer.concat(held);
    const end = all.lastIndexOf(10) + 1;
    if (end > 0) yield all.subarray(0, end);
    held = [all.subarray(end)];
    bytes = all.length - end;
  }
  if (bytes > 0) yield Buffer.concat(held);
}
