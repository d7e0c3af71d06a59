import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { LINK_LIMITS } from '@albedo/contract/link/link.messages';
import type { WatchScenario } from '../config/config.schema.ts';
import { codeOf, messageOf } from '../log.ts';
import type { Shape } from '../outbox/outbox.events.ts';
import { DirectoryWatch } from './directory-watch.ts';
import type { CaptureFault } from './faults.ts';
import type { RunningCapture, Sink } from './sink.ts';

const POLL_MS = 5000;
/** A writer gets so long to finish before the file is looked at, ms. */
const SETTLE_MS = 300;
const HASH_LIMIT = 64 * 1024 * 1024;

/** Fields of the events of a watched file. `content` is there when the scenario says `send_file` and it fits. */
export const WATCH_FIELDS: Shape['fields'] = [
  { name: 'file', type: 'keyword' },
  { name: 'change', type: 'keyword' },
  { name: 'size', type: 'integer', units: 'B' },
  { name: 'sha256', type: 'keyword' },
  { name: 'encoding', type: 'keyword' },
  { name: 'content', type: 'keyword' },
];

/**
 * Makes an event when a file is created, changed or deleted: what changed, its size and SHA-256, and its content when
 * asked for (text as it is, other bytes as base64). What is known survives a restart, so a change while the agent was
 * down is noticed too.
 */
export class WatchCapture implements RunningCapture {
  readonly #scenario: WatchScenario;
  readonly #file: string;
  readonly #key: string;
  readonly #sink: Sink;
  readonly #report: (fault: CaptureFault) => void;
  readonly #shape: Shape;
  readonly #watch = new DirectoryWatch();
  #poll: NodeJS.Timeout | null = null;
  #settle: NodeJS.Timeout | null = null;
  #stamp = '';
  #known: string | null = null;

  constructor(scenario: WatchScenario, file: string, sink: Sink, report: (fault: CaptureFault) => void) {
    this.#scenario = scenario;
    this.#file = file;
    this.#sink = sink;
    this.#report = report;
    this.#key = `watch ${scenario.table}.${scenario.source} ${scenario.file}`;
    this.#shape = { table: scenario.table, source: scenario.source, fields: WATCH_FIELDS };
  }

  start(): void {
    this.#known = this.#sink.position(this.#key)?.header ?? null;
    this.#look();
    this.#poll = setInterval(() => this.#look(), POLL_MS);
  }

  stop(): void {
    if (this.#poll) clearInterval(this.#poll);
    if (this.#settle) clearTimeout(this.#settle);
    this.#watch.close();
  }

  #look(): void {
    this.#watch.add(dirname(this.#file), (name) => {
      if (name !== null && name !== basename(this.#file)) return;
      this.#settle ??= setTimeout(() => {
        this.#settle = null;
        this.#look();
      }, SETTLE_MS);
    });
    const stats = this.#stat();
    if (stats === undefined) return;
    const stamp = stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : 'none';
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    if (!stats) this.#noteDeleted();
    else if (Date.now() - stats.mtimeMs < SETTLE_MS && stats.mtimeMs <= Date.now()) this.#lookAgain();
    else this.#noteContent();
  }

  /** The file was written a moment ago: perhaps the writer is not done. */
  #lookAgain(): void {
    this.#stamp = '';
    this.#settle ??= setTimeout(() => {
      this.#settle = null;
      this.#look();
    }, SETTLE_MS);
  }

  #noteDeleted(): void {
    if (this.#known === null || this.#known === 'none') {
      if (this.#known === null) this.#remember('none', []);
      return;
    }
    this.#remember('none', [this.#scenario.file, 'deleted', null, null, null, null]);
  }

  #noteContent(): void {
    try {
      const fd = openSync(this.#file, 'r');
      const { size } = fstatSync(fd);
      const hash = createHash('sha256');
      const chunk = Buffer.allocUnsafe(256 * 1024);
      let first = Buffer.alloc(0);
      for (let at = 0; at < Math.min(size, HASH_LIMIT); ) {
        const length = readSync(fd, chunk, 0, chunk.length, at);
        if (length === 0) break;
        if (at === 0) first = Buffer.from(chunk.subarray(0, length));
        hash.update(chunk.subarray(0, length));
        at += length;
      }
      closeSync(fd);
      this.#noteHash(hash.digest('hex'), size, first);
    } catch (error) {
      this.#fault(`${this.#file} cannot be read: ${messageOf(error)}`);
    }
  }

  #noteHash(sha256: string, size: number, first: Buffer): void {
    if (sha256 === this.#known) return;
    const isFirstSight = this.#known === null;
    const change = isFirstSight ? 'found' : this.#known === 'none' ? 'created' : 'changed';
    const { encoding, content } = this.#scenario.send_file
      ? this.#content(size, first)
      : { encoding: null, content: null };
    this.#remember(sha256, [this.#scenario.file, change, size, sha256, encoding, content]);
  }

  #content(size: number, bytes: Buffer): { encoding: string | null; content: string | null } {
    const encoding = isUtf8(bytes) && !bytes.includes(0) ? 'text' : 'base64';
    const content = encoding === 'text' ? bytes.toString('utf8') : bytes.toString('base64');
    if (size <= bytes.length && content.length <= LINK_LIMITS.textLength) return { encoding, content };
    this.#fault(`${this.#file} is too large to be sent along (${size} bytes); only its change is noted`);
    return { encoding: null, content: null };
  }

  #remember(known: string, values: (string | number | null)[]): void {
    this.#known = known;
    const rows = values.length > 0 ? [{ eventAt: Date.now(), values }] : [];
    this.#sink.append({
      captures: rows.length > 0 ? [{ shape: this.#shape, rows }] : [],
      position: { key: this.#key, value: { inode: 0, offset: 0, tail: '', header: known, skipping: false } },
    });
  }

  /** Null when there is no file, undefined when that is unknown. */
  #stat(): Stats | null | undefined {
    try {
      return statSync(this.#file);
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
      this.#fault(`${this.#file} cannot be read: ${messageOf(error)}`);
      return undefined;
    }
  }

  #fault(message: string): void {
    const { table, source } = this.#scenario;
    this.#report({ table, source, scenario: 'watch', column: '', message, line: '' });
  }
}
