import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { GO_BACK_MS, type WentBack, wentBack } from '@albedo/contract/devices/went-back';
import { z } from 'zod';
import { isConfined } from '../confinement.ts';
import { type Log, messageOf } from '../log.ts';
import type { Root } from '../root.ts';
import { type Change, change, changeAtOnce, NoPlaceError } from './at-once.ts';

/** A word of the cloud counts once a change has had this long to take the network along, ms. */
const SETTLE_MS = 30_000;
/** An agent that starts so often within one trial does not stand the change. */
const MOST_STARTS = 6;
const LOOK_MS = 1000;

/** Something that the cloud changed on this device and that may cost it the connection. */
export interface Risk {
  kind: WentBack['kind'];
  /** Path or name of what was changed. */
  name: string;
  /** Hexadecimal SHA-256 of the new content, where it is one file. */
  hash?: string;
  /** How the files were before. */
  before: Change;
  /** What is written over it, so that what somebody on the device changes later is known as theirs. */
  after?: Change;
  /** The section `mqtt` that has to be connected with, as JSON; without it any word of the broker will do. */
  link?: string;
  /** A plugin whose services are put aside. */
  putAside?: string;
  /** A plugin whose services go on. */
  resume?: string;
}

const trial = z.object({
  changes: z.array(wentBack.pick({ kind: true, name: true, hash: true })),
  /** Epoch ms. */
  since: z.number(),
  /** Starts of the agent since. */
  starts: z.number(),
  link: z.string().nullable(),
  before: change,
  /** Hexadecimal SHA-256 of what was written, by path; null where the file was removed. */
  written: z.record(z.string(), z.string().nullable()).default({}),
  putAside: z.array(z.string()),
  resume: z.array(z.string()),
});
type Trial = z.infer<typeof trial>;

export interface WayBackOptions {
  root: Root;
  log: Log;
  /** Why there is no connection, for people. */
  trouble: () => string | null;
  /** The files are as they were: what follows from them is done, and people are told. */
  onBack: (told: WentBack, of: { putAside: string[]; resume: string[] }) => void;
  /** Clock of this process that is never set, and that of the calendar, ms. */
  clock?: () => number;
  now?: () => number;
  goBackMs?: number;
  settleMs?: number;
}

/**
 * What the cloud changed stays only when the device still hears it afterwards; else everything is put back as it was.
 *
 * The note of a trial is on the disk before the change is made, so that a device that is cut off anywhere finds the way
 * back at its next start.
 */
export class WayBack {
  readonly #options: WayBackOptions;
  readonly #goBackMs: number;
  readonly #settleMs: number;
  readonly #clock: () => number;
  readonly #now: () => number;
  #trial: Trial | null = null;
  /** By `#clock`. */
  #sinceAt = 0;
  #endsAt = 0;
  #timer: NodeJS.Timeout | null = null;
  #last: WentBack | null = null;

  constructor(options: WayBackOptions) {
    this.#options = options;
    this.#goBackMs = options.goBackMs ?? GO_BACK_MS;
    this.#settleMs = options.settleMs ?? SETTLE_MS;
    this.#clock = options.clock ?? (() => performance.now());
    this.#now = options.now ?? Date.now;
  }

  /** What was put back last; null after a later change that stayed. */
  get last(): WentBack | null {
    return this.#last;
  }

  /** To be asked at a start, before anything reads the configuration: puts back what had its time. */
  resume(): void {
    this.#last = readNote(this.#lastFile, wentBack);
    this.#trial = readNote(this.#file, trial);
    if (!this.#trial) return;
    if (!isThere(this.#options.root, this.#trial.changes)) {
      this.#forget();
      return;
    }
    this.#trial.starts++;
    const { starts } = this.#trial;
    if (starts > MOST_STARTS) {
      this.#goBack(`the agent has started ${starts} times since`);
      return;
    }
    this.#note(this.#file, this.#trial);
    // All of it again: after a cut of power a modem alone takes a minute or more to be in its network.
    this.#sinceAt = this.#clock();
    this.#endsAt = this.#sinceAt + this.#goBackMs;
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), LOOK_MS);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  /**
   * To be called before a change is made; what it answers is to be called where the change does not come about. Throws
   * NoPlaceError where the disk takes no note of it; then it must not be made. A cloud device stands beside the server and has
   * no network to lose.
   */
  begin(risk: Risk): () => void {
    if (isConfined()) return () => {};
    const earlier = this.#trial;
    const next: Trial = {
      changes: [
        ...(earlier?.changes ?? []),
        { kind: risk.kind, name: risk.name, ...(risk.hash === undefined ? {} : { hash: risk.hash }) },
      ].slice(-20),
      since: this.#now(),
      starts: 0,
      link: risk.link ?? earlier?.link ?? null,
      // How it was before the first of several changes that nobody has confirmed.
      before: earlier ? merged(earlier.before, risk.before) : risk.before,
      written: { ...earlier?.written, ...writtenBy(risk) },
      putAside: [...(earlier?.putAside ?? []), ...(risk.putAside ? [risk.putAside] : [])],
      resume: [...(earlier?.resume ?? []), ...(risk.resume ? [risk.resume] : [])],
    };
    try {
      this.#note(this.#file, next);
    } catch (error) {
      throw new NoPlaceError(messageOf(error));
    }
    this.#trial = next;
    this.#sinceAt = this.#clock();
    this.#endsAt = this.#sinceAt + this.#goBackMs;
    return () => {
      if (this.#trial !== next) return;
      this.#forget();
      if (!earlier) return;
      this.#trial = earlier;
      this.#note(this.#file, earlier);
    };
  }

  /** The broker said something over a connection with this section `mqtt` (JSON). */
  heard(link: string): void {
    if (!this.#trial) return;
    const isProof =
      this.#trial.link === null ? this.#clock() - this.#sinceAt >= this.#settleMs : this.#trial.link === link;
    if (!isProof) return;
    this.#forget();
    this.#last = null;
    rmSync(this.#lastFile, { force: true });
  }

  /** Something was put back by others than this. */
  tell(told: Omit<WentBack, 'at'>): void {
    this.#last = { ...told, at: this.#now() };
    try {
      this.#note(this.#lastFile, this.#last);
    } catch (error) {
      this.#options.log.warn(`What was put back cannot be written down: ${messageOf(error)}`);
    }
  }

  /** Goes back where the time is over. */
  look(): void {
    if (!this.#trial || this.#clock() < this.#endsAt) return;
    const seconds = Math.round(this.#goBackMs / 1000);
    const trouble = this.#options.trouble();
    this.#goBack(`no connection followed within ${seconds} s${trouble ? ` (${trouble})` : ''}`);
  }

  #goBack(why: string): void {
    const { root, log, onBack } = this.#options;
    const { changes, before, written, putAside, resume } = this.#trial as Trial;
    const [first] = changes;
    if (!first) {
      this.#forget();
      return;
    }
    const told: WentBack = {
      ...(changes.findLast(({ kind }) => kind === 'config') ?? changes.at(-1) ?? first),
      at: this.#now(),
      why: why.slice(0, 1000),
    };
    try {
      this.#note(this.#lastFile, told);
      changeAtOnce(root, untouched(root, before, written));
    } catch (error) {
      // It is tried again in a second, and at the next start.
      log.error(`What the cloud changed cannot be put back: ${messageOf(error)}`);
      return;
    }
    this.#forget();
    this.#last = told;
    onBack(told, { putAside, resume });
  }

  #forget(): void {
    this.#trial = null;
    rmSync(this.#file, { force: true });
  }

  get #file(): string {
    return join(this.#options.root.stateDirectory, 'change-on-trial.json');
  }

  get #lastFile(): string {
    return join(this.#options.root.stateDirectory, 'went-back.json');
  }

  #note(file: string, note: object): void {
    mkdirSync(this.#options.root.stateDirectory, { recursive: true });
    const fd = openSync(`${file}.new`, 'w', 0o600);
    try {
      writeFileSync(fd, JSON.stringify(note));
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(`${file}.new`, file);
  }
}

/** What somebody on the device has changed since is theirs. */
function untouched(root: Root, before: Change, written: Trial['written']): Change {
  const isForeign = (path: string) => {
    const place = root.at(path);
    if (written[path] === undefined) return false;
    // Without its configuration no agent runs.
    if (!existsSync(place)) return written[path] !== null && place !== root.configFile;
    return hashOf(readFileSync(place)) !== written[path];
  };
  return {
    files: before.files.filter(({ path }) => !isForeign(path)),
    remove: before.remove.filter((path) => !isForeign(path)),
  };
}

/** Whether any of it came onto the disk before the agent ended. */
function isThere(root: Root, changes: Trial['changes']): boolean {
  return changes.some(
    ({ name, hash }) =>
      hash === undefined || (existsSync(root.at(name)) && hashOf(readFileSync(root.at(name))) === hash),
  );
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const writtenBy = ({ name, hash, after }: Risk): Trial['written'] => ({
  ...(hash === undefined ? {} : { [name]: hash }),
  ...Object.fromEntries((after?.remove ?? []).map((path) => [path, null])),
  ...Object.fromEntries(
    (after?.files ?? []).map(({ path, content }) => [path, hashOf(Buffer.from(content, 'base64'))]),
  ),
});

function merged(first: Change, second: Change): Change {
  const known = new Set([...first.files.map(({ path }) => path), ...first.remove]);
  return {
    files: [...first.files, ...second.files.filter(({ path }) => !known.has(path))],
    remove: [...first.remove, ...second.remove.filter((path) => !known.has(path))],
  };
}

/** Null where there is none, or one that a cut of power left unreadable. */
function readNote<T>(file: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
