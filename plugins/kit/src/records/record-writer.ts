import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { dataLine, headerLine, localOffsetMinutes, timestamp } from './csv-format.ts';
import { type PluginRecord, pathName, sourceName } from './record.ts';
import type { SourceMap } from './source-map.ts';

const TAIL_BYTES = 65_536;

export interface WriterOptions {
  /** Write a record only when a value differs from the one before. */
  changesOnly?: boolean;
  sourceMap?: SourceMap | null;
  /** Name of the plugin, which is left in each folder so that its logs are known among those of others. */
  writtenBy?: string;
}

interface OpenFolder {
  header: string;
  lastLine: string;
  /** The file ended in the middle of a line when it was opened. */
  torn: boolean;
}

/**
 * Writes records as `<directory>/<table>/<source>/latest.csv` and, beside it, one archive for each local day.
 *
 * Rules: a new day starts a new `latest.csv`; a changed header does too, and sets the archive aside as `<archive>.1`,
 * because the agent reads the header again when the file disappears. One writer for each folder, whose name stands in
 * `.written-by`.
 */
export class RecordWriter {
  readonly #directory: string;
  readonly #changesOnly: boolean;
  readonly #sourceMap: SourceMap | null;
  readonly #writtenBy: string | null;
  readonly #folders = new Map<string, OpenFolder>();

  constructor(directory: string, options: WriterOptions = {}) {
    this.#directory = directory;
    this.#changesOnly = options.changesOnly ?? false;
    this.#sourceMap = options.sourceMap ?? null;
    this.#writtenBy = options.writtenBy ?? null;
  }

  /** Folder of a record's files. */
  folderOf(record: PluginRecord): string {
    const name = sourceName(record.source);
    return join(this.#directory, record.table, pathName(this.#sourceMap?.rename(name) ?? name));
  }

  /**
   * Gives true when a line was written, false when nothing had changed, or when the machine still tells the same of the
   * same instant. `at` is now, epoch ms, and says which day's archive it is.
   *
   * Times: that of the machine to the millisecond; the time of writing in whole seconds.
   */
  write(record: PluginRecord, at: number): boolean {
    const folder = this.folderOf(record);
    const latest = join(folder, 'latest.csv');
    const day = timestamp(at, localOffsetMinutes(at)).slice(0, 10);
    const archive = join(folder, `${day}.csv`);
    const header = headerLine(record.columns);
    const line = dataLine(record.at ?? Math.floor(at / 1000) * 1000, record.values);
    const open = this.#folders.get(folder) ?? this.#enter(folder, latest);
    if (!existsSync(archive) || !existsSync(latest) || open.header !== header) {
      this.#begin(folder, latest, archive, header);
      open.torn = false;
    } else if (isTold(record, open.lastLine, line) || (this.#changesOnly && isSame(open.lastLine, line))) {
      this.#folders.set(folder, open);
      return false;
    }
    const text = `${open.torn ? '\n' : ''}${line}\n`;
    appendFileSync(archive, text);
    appendFileSync(latest, text);
    this.#folders.set(folder, { header, lastLine: line, torn: false });
    return true;
  }

  #enter(folder: string, latest: string): OpenFolder {
    const open = readFolder(folder, latest);
    const mark = join(folder, '.written-by');
    if (this.#writtenBy !== null && textOf(mark) !== this.#writtenBy) writeFileSync(mark, this.#writtenBy);
    return open;
  }

  #begin(folder: string, latest: string, archive: string, header: string): void {
    mkdirSync(folder, { recursive: true });
    if (existsSync(archive) && firstAndLastLine(archive).header !== header)
      renameSync(archive, freeName(archive));
    rmSync(latest, { force: true });
    if (!existsSync(archive)) appendFileSync(archive, `${header}\n`);
    appendFileSync(latest, `${header}\n`);
  }
}

function freeName(archive: string): string {
  for (let number = 1; ; number++) if (!existsSync(`${archive}.${number}`)) return `${archive}.${number}`;
}

const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

const isTold = (record: PluginRecord, last: string, line: string): boolean =>
  record.at !== undefined && last === line;

/** Whether two lines have the same values, at whatever time. */
const isSame = (last: string, line: string): boolean =>
  last.slice(last.indexOf(',')) === line.slice(line.indexOf(','));

/** What an earlier process left. */
function readFolder(folder: string, latest: string): OpenFolder {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(latest)) return { header: '', lastLine: '', torn: false };
  return firstAndLastLine(latest);
}

function firstAndLastLine(path: string): OpenFolder {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const bytes = Math.min(size, TAIL_BYTES);
    const header = readText(file, 0, bytes).split('\n')[0] ?? '';
    const tail = readText(file, size - bytes, bytes);
    return {
      header,
      lastLine: tail.trimEnd().split('\n').at(-1) ?? '',
      torn: tail !== '' && !tail.endsWith('\n'),
    };
  } finally {
    closeSync(file);
  }
}

function readText(file: number, from: number, bytes: number): string {
  const buffer = Buffer.alloc(bytes);
  return buffer.toString('utf8', 0, readSync(file, buffer, 0, bytes, from));
}
