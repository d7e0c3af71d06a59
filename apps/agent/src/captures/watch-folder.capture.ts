import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { DirectoryWatch } from '../changes/directory-watch.ts';
import type { WatchScenario } from '../config/config.schema.ts';
import { codeOf, messageOf } from '../log.ts';
import type { Shape } from '../outbox/outbox.events.ts';
import type { RunningCapture } from '../outbox/sink.ts';
import { readPhoto } from '../photos/photo-file.ts';
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
const SETTLE_MS = 300;
/** A folder with very many files is looked at less often: looking takes at most one part in so many of the time. */
const REST = 50;

/** The place of a file among all of its folder: by when it came to be as it is, then by name. */
const place = z.tuple([z.number(), z.string()]);
type Place = z.infer<typeof place>;

/** Whether a scenario watches the files of a folder, such as `/srv/camera/*.jpg`. */
export const isFolderWatch = ({ file }: WatchScenario): boolean => basename(file).includes('*');

/**
 * Makes an event of each file that comes into a folder or changes there, in the order in which they came, as a camera
 * writes them. How far it was survives a restart. Of deleted files nothing is told.
 */
export class WatchFolderCapture implements RunningCapture {
  readonly #scenario: WatchScenario;
  readonly #options: WatchOptions;
  readonly #folder: string;
  readonly #isMeant: (name: string) => boolean;
  readonly #key: string;
  readonly #shape: Shape;
  readonly #watch = new DirectoryWatch();
  #timer: NodeJS.Timeout | null = null;
  #dueAt = Number.POSITIVE_INFINITY;
  #restUntil = 0;
  /** The last file that was told of. */
  #mark: Place = [0, ''];

  constructor(scenario: WatchScenario, options: WatchOptions) {
    const { table, source, file, send_file } = scenario;
    this.#scenario = scenario;
    this.#options = options;
    this.#folder = dirname(options.file);
    this.#isMeant = nameTest(basename(options.file));
    this.#key = `watch ${table}.${source} ${file}`;
    const hasPhotos = send_file && isPhotoName(file.replaceAll('*', 'x'));
    this.#shape = { table, source, fields: hasPhotos ? PHOTO_FIELDS : WATCH_FIELDS };
  }

  start(): void {
    const kept = this.#options.sink.position(this.#key)?.header;
    if (kept) this.#mark = place.parse(JSON.parse(kept));
    else if (this.#scenario.from !== 'start') this.#remember(this.#fresh().at(-1)?.place ?? this.#mark, []);
    this.#look();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#watch.close();
  }

  #lookIn(ms: number): void {
    const dueAt = Math.max(performance.now() + ms, this.#restUntil);
    if (this.#timer && this.#dueAt <= dueAt) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#look();
    }, dueAt - performance.now());
  }

  #look(): void {
    this.#watch.add(this.#folder, (name) => {
      if (name === null || this.#isMeant(name)) this.#lookIn(SETTLE_MS);
    });
    const beganAt = performance.now();
    const fresh = this.#fresh();
    const isDone = fresh.every(({ name, place }) => this.#note(name, place));
    const now = performance.now();
    this.#restUntil = now + Math.min((now - beganAt) * REST, 60_000);
    this.#lookIn(isDone ? POLL_MS : SETTLE_MS);
  }

  /** What came after the mark, in its order. */
  #fresh(): { name: string; place: Place }[] {
    const now = Date.now();
    // The clock was set back: what comes now would never be after the mark. What comes twice, the cloud has once.
    if (this.#mark[0] > now + UNFINISHED_MS) this.#mark = [now, ''];
    try {
      return readdirSync(this.#folder)
        .filter(this.#isMeant)
        .flatMap((name) => {
          const at = this.#changedAt(name);
          return at === null ? [] : [{ name, place: [at, name] satisfies Place }];
        })
        .filter((one) => isAfter(one.place, this.#mark))
        .sort((a, b) => (isAfter(a.place, b.place) ? 1 : -1));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') this.#fault(`${this.#folder} cannot be read: ${messageOf(error)}`);
      return [];
    }
  }

  /** By the clock of the machine, whatever time the file is given; null for what is no file, or gone. */
  #changedAt(name: string): number | null {
    try {
      const stats = statSync(join(this.#folder, name));
      return stats.isFile() ? stats.ctimeMs : null;
    } catch {
      return null;
    }
  }

  /** False when the file is still being written, or could not be kept: those after it wait. */
  #note(name: string, at: Place): boolean {
    if (Math.abs(Date.now() - at[0]) < SETTLE_MS) return false;
    const path = join(this.#folder, name);
    const { table, source, send_file } = this.#scenario;
    const told = join(dirname(this.#scenario.file), name);
    try {
      if (!send_file || !isPhotoName(name)) return this.#noteContent(path, told, at);
      const found = readPhoto(path, { table, source });
      if (!('photo' in found)) {
        if (found.isUnfinished && Math.abs(Date.now() - at[0]) < UNFINISHED_MS) return false;
        this.#fault(`${path} ${found.why}; it is left out`);
        this.#remember(at, []);
        return true;
      }
      const { photo, bytes } = found;
      const isKept = this.#options.photos.keep(photo, bytes);
      if (!isKept) this.#fault(`${path} is larger than all photos may be (photos: limit_mb)`);
      const values = [told, 'created', photo.size, photo.sha256, null, null, isKept ? photo.id : null];
      this.#remember(at, values, photo.takenAt);
      return true;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return true;
      this.#fault(`${path} cannot be kept: ${messageOf(error)}`);
      return codeOf(error) === 'EACCES';
    }
  }

  #noteContent(path: string, told: string, at: Place): boolean {
    const found = readWatched(path);
    const sent = this.#scenario.send_file ? contentOf(found) : null;
    if (this.#scenario.send_file && !sent) this.#fault(`${path} is too large to be sent along`);
    const content = [sent?.encoding ?? null, sent?.content ?? null];
    this.#remember(at, [told, 'created', found.size, found.sha256, ...content]);
    return true;
  }

  #remember(mark: Place, values: (string | number | null)[], eventAt = Date.now()): void {
    this.#mark = mark;
    const missing = this.#shape.fields.slice(values.length).map(() => null);
    const rows = values.length > 0 ? [{ eventAt, values: [...values, ...missing] }] : [];
    const header = JSON.stringify(mark);
    this.#options.sink.append({
      captures: rows.length > 0 ? [{ shape: this.#shape, rows }] : [],
      position: { key: this.#key, value: { inode: 0, offset: 0, tail: '', header, skipping: false } },
    });
  }

  #fault(message: string): void {
    const { table, source } = this.#scenario;
    this.#options.report({ table, source, scenario: 'watch', column: '', message, line: '' });
  }
}

const isAfter = (a: Place, b: Place): boolean => a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]);

/** `*` stands for any letters; names that begin with a full stop are never meant: cameras write into them and rename. */
function nameTest(pattern: string): (name: string) => boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const whole = new RegExp(`^${parts.join('.*')}$`, 's');
  return (name) => !name.startsWith('.') && whole.test(name);
}
