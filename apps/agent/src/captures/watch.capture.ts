import { type Stats, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DirectoryWatch } from '../changes/directory-watch.ts';
import type { WatchScenario } from '../config/config.schema.ts';
import { codeOf, messageOf } from '../log.ts';
import type { Shape } from '../outbox/outbox.events.ts';
import type { RunningCapture } from '../outbox/sink.ts';
import { readPhoto } from '../photos/photo-file.ts';
import type { PhotoShelf } from '../photos/photo-shelf.ts';
import {
  contentOf,
  isPhotoName,
  PHOTO_FIELDS,
  readWatched,
  UNFINISHED_MS,
  WATCH_FIELDS,
  type WatchOptions,
} from './watched-file.ts';

const POLL_MS = 5000;
/** A writer gets so long to finish before the file is looked at, ms. */
const SETTLE_MS = 300;

/**
 * Makes an event when a file is created, changed or deleted: what changed, its size and SHA-256, and its content when
 * asked for (text as it is, other bytes as base64; a picture as a photo). What is known survives a restart, so a change
 * while the agent was down is noticed too.
 */
export class WatchCapture implements RunningCapture {
  readonly #scenario: WatchScenario;
  readonly #options: WatchOptions;
  readonly #file: string;
  readonly #key: string;
  /** Null where the file is no picture, or not sent along. */
  readonly #photos: PhotoShelf | null;
  readonly #shape: Shape;
  readonly #watch = new DirectoryWatch();
  #poll: NodeJS.Timeout | null = null;
  #settle: NodeJS.Timeout | null = null;
  #stamp = '';
  #known: string | null = null;

  constructor(scenario: WatchScenario, options: WatchOptions) {
    const { table, source, file, send_file } = scenario;
    this.#scenario = scenario;
    this.#options = options;
    this.#file = options.file;
    this.#key = `watch ${table}.${source} ${file}`;
    this.#photos = send_file && isPhotoName(file) ? options.photos : null;
    this.#shape = { table, source, fields: this.#photos ? PHOTO_FIELDS : WATCH_FIELDS };
  }

  start(): void {
    this.#known = this.#options.sink.position(this.#key)?.header ?? null;
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
      if (name === null || name === basename(this.#file)) this.#lookSoon();
    });
    const stats = this.#stat();
    if (stats === undefined) return;
    const stamp = stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : 'none';
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    if (!stats) this.#noteDeleted();
    else if (Date.now() - stats.mtimeMs < SETTLE_MS && stats.mtimeMs <= Date.now()) this.#lookAgain();
    else if (this.#photos) this.#notePhoto(this.#photos, stats.mtimeMs);
    else this.#noteContent();
  }

  /** The file was written a moment ago: perhaps the writer is not done. */
  #lookAgain(): void {
    this.#stamp = '';
    this.#lookSoon();
  }

  #lookSoon(): void {
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

  #notePhoto(photos: PhotoShelf, writtenAt: number): void {
    const { table, source, file } = this.#scenario;
    try {
      const found = readPhoto(this.#file, { table, source });
      if (!('photo' in found)) {
        if (found.isUnfinished && Math.abs(Date.now() - writtenAt) < UNFINISHED_MS) this.#lookAgain();
        else {
          this.#fault(`${this.#file} ${found.why}; only its change is noted`);
          this.#noteContent();
        }
        return;
      }
      const { photo, bytes } = found;
      if (photo.sha256 === this.#known) return;
      const isKept = photos.keep(photo, bytes);
      if (!isKept) this.#fault(`${this.#file} is larger than all photos may be (photos: limit_mb)`);
      const values = [file, this.#change, photo.size, photo.sha256, null, null, isKept ? photo.id : null];
      this.#remember(photo.sha256, values, photo.takenAt);
    } catch (error) {
      // A disk that is full may have room at the next look.
      this.#stamp = '';
      this.#fault(`${this.#file} cannot be kept as a photo: ${messageOf(error)}`);
    }
  }

  #noteContent(): void {
    try {
      const found = readWatched(this.#file);
      const { sha256, size } = found;
      if (sha256 === this.#known) return;
      const isSent = this.#scenario.send_file && !this.#photos;
      const sent = isSent ? contentOf(found) : null;
      if (isSent && !sent) {
        this.#fault(`${this.#file} is too large to be sent along (${size} bytes); only its change is noted`);
      }
      const content = [sent?.encoding ?? null, sent?.content ?? null];
      this.#remember(sha256, [this.#scenario.file, this.#change, size, sha256, ...content]);
    } catch (error) {
      this.#fault(`${this.#file} cannot be read: ${messageOf(error)}`);
    }
  }

  get #change(): string {
    if (this.#known === null) return 'found';
    return this.#known === 'none' ? 'created' : 'changed';
  }

  #remember(known: string, values: (string | number | null)[], eventAt = Date.now()): void {
    this.#known = known;
    // What is no photo has no id of one.
    const missing = this.#shape.fields.slice(values.length).map(() => null);
    const rows = values.length > 0 ? [{ eventAt, values: [...values, ...missing] }] : [];
    this.#options.sink.append({
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
    this.#options.report({ table, source, scenario: 'watch', column: '', message, line: '' });
  }
}
