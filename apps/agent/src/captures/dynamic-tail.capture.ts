import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from '@albedo/contract/devices/meta.schema';
import { OWN_TABLES, tableName } from '@albedo/contract/telemetry/telemetry.schema';
import { DirectoryWatch, makeFolder } from '../changes/directory-watch.ts';
import type { DynamicTail } from '../config/config.schema.ts';
import { codeOf, messageOf } from '../log.ts';
import type { CaptureFault } from '../outbox/faults.ts';
import type { RunningCapture, Sink } from '../outbox/sink.ts';
import type { Column } from '../parsing/header.ts';
import { Follower } from './follower.ts';
import { HeaderedLines } from './lines.ts';
import { ReadLoop } from './read-loop.ts';

const RESCAN_MS = 30_000;
/** A burst of new folders is looked at once, ms. */
const SETTLE_MS = 100;
const MAX_DEPTH = 16;
const MAX_FILES = 20_000;

export interface DynamicTailOptions {
  folder: DynamicTail;
  /** The folder as it is on this disk. */
  directory: string;
  sink: Sink;
  report: (fault: CaptureFault) => void;
  /** What was found, or a header, changed. */
  onChange: () => void;
}

/**
 * Finds and follows every `<directory>/<table>/<source…>/latest.csv`: the first folder below the directory is the
 * table, the others joined with `/` are the source, and the first line of the file says what the columns are.
 */
export class DynamicTailCapture implements RunningCapture {
  readonly #options: DynamicTailOptions;
  readonly #files = new Map<
    string,
    { follower: Follower; lines: HeaderedLines; table: string; source: string }
  >();
  readonly #loop = new ReadLoop();
  readonly #watch = new DirectoryWatch();
  #rescan: NodeJS.Timeout | null = null;
  #settle: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(options: DynamicTailOptions) {
    this.#options = options;
  }

  start(): void {
    makeFolder(this.#options.directory);
    this.#scan();
    this.#followGone();
    this.#loop.start();
    this.#rescan = setInterval(() => this.#scan(), RESCAN_MS);
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#rescan) clearInterval(this.#rescan);
    if (this.#settle) clearTimeout(this.#settle);
    this.#watch.close();
    this.#loop.stop();
  }

  unreadBytes(): number {
    return this.#loop.unreadBytes;
  }

  /** What was found so far, with the fields of the header in force; files without a good header are left out. */
  scenarios(): Scenario[] {
    return [...this.#files.values()]
      .filter(({ lines }) => lines.columns.length > 0)
      .map(({ table, source, lines }) => ({
        table,
        source,
        expect: 'csv' as const,
        fields: lines.columns.filter((one) => one.name !== '').map(fieldOf),
      }));
  }

  #scan(): void {
    if (this.#isStopped) return;
    const seen = new Set<string>();
    const folders = new Set<string>();
    this.#walk([], seen, folders);
    for (const folder of this.#watch.folders) if (!folders.has(folder)) this.#watch.remove(folder);
    for (const [path, file] of this.#files) {
      if (seen.has(path) || !file.follower.isGone) continue;
      this.#loop.remove(file.follower);
      this.#files.delete(path);
      this.#options.onChange();
    }
  }

  #walk(parts: string[], seen: Set<string>, folders: Set<string>): void {
    const folder = join(this.#options.directory, ...parts);
    let entries: Dirent[];
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      if (codeOf(error) !== 'ENOENT')
        this.#fault(parts, `the folder ${folder} cannot be read: ${messageOf(error)}`);
      return;
    }
    folders.add(folder);
    const path = join(folder, this.#options.folder.filename);
    this.#watch.add(folder, (name, isNameChange) => this.#changed(path, name, isNameChange));
    for (const entry of entries) {
      if (entry.isDirectory() && parts.length < MAX_DEPTH) this.#walk([...parts, entry.name], seen, folders);
      else if (entry.name === this.#options.folder.filename && !entry.isDirectory()) {
        seen.add(path);
        if (!this.#files.has(path)) this.#follow(parts, path);
      }
    }
  }

  /** Files that were rotated away while the agent did not run, and that nothing came after: they may not be read to their end. */
  #followGone(): void {
    const { folder, directory, sink } = this.#options;
    const { begin, end } = this.#key;
    for (const key of sink.positionKeys()) {
      if (!key.startsWith(begin) || !key.endsWith(end) || this.#files.size >= MAX_FILES) continue;
      const parts = key.slice(begin.length, -end.length).split('/');
      const path = join(directory, ...parts, folder.filename);
      if (!this.#files.has(path)) this.#follow(parts, path);
    }
  }

  /** What stands around the folders in the name of a position. */
  get #key() {
    const { directory, filename } = this.#options.folder;
    return { begin: `dynamic ${directory}/`, end: `/${filename}` };
  }

  #follow(parts: string[], path: string): void {
    const [table = '', ...rest] = parts;
    const source = rest.join('/');
    const refusal = this.#refusal(table, source, path);
    if (refusal) {
      this.#fault(parts, refusal);
      return;
    }
    const { sink, report, onChange } = this.#options;
    const lines = new HeaderedLines({ table, source, scenario: 'dynamic' }, report, onChange);
    const { begin, end } = this.#key;
    const key = begin + parts.join('/') + end;
    const follower = new Follower({ key, path, reader: lines, sink, firstSight: 'start' });
    this.#files.set(path, { follower, lines, table, source });
    this.#loop.add(follower);
    if (follower.trouble) lines.fault(follower.trouble, '');
  }

  #refusal(table: string, source: string, path: string): string | null {
    if (source === '') return `${path} needs at least two folders above it: the table and the source`;
    if (!tableName.safeParse(table).success) {
      return `the folder "${table}" cannot be a table: no full stop, at most 200 characters`;
    }
    if (OWN_TABLES.has(table)) return `${path}: no file writes into the table "${table}"`;
    if (source.length > 400) return `the source of ${path} is longer than 400 characters`;
    if (this.#files.size < MAX_FILES) return null;
    return `more than ${MAX_FILES} files; ${path} and others are not followed`;
  }

  #changed(path: string, name: string | null, isNameChange: boolean): void {
    const file = this.#files.get(path);
    if (file && (name === null || name === this.#options.folder.filename))
      this.#loop.mark(file.follower, isNameChange);
    if (!isNameChange || (file && name === this.#options.folder.filename)) return;
    this.#settle ??= setTimeout(() => {
      this.#settle = null;
      this.#scan();
    }, SETTLE_MS);
  }

  #fault(parts: string[], message: string): void {
    const [table = '', ...rest] = parts;
    this.#options.report({
      table,
      source: rest.join('/'),
      scenario: 'dynamic',
      column: '',
      message,
      line: '',
    });
  }
}

const fieldOf = ({ name, expect, units }: Column) => ({
  name,
  expect,
  ...(units === undefined ? {} : { meta: { units } }),
});
