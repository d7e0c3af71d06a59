import type { FrontendError } from '@albedo/contract/diagnostics/diagnostics.schema';
import { browserName } from './browser-name.ts';
import { fingerprintOf, placeOf } from './fingerprint.ts';
import { OwnShare } from './own-share.ts';
import { scrubbed, scrubbedPath } from './scrubbed.ts';

/** How many different errors, by version, browser and address, one person can report in a day. */
const KINDS_OF_ONE = 60;
/** Different errors kept between two writes; further ones are dropped. */
const HELD = 500;

/** Whose browser reports; only the person's id is kept. */
export interface Viewer {
  workgroup: string;
  userId: string;
}

/** An error, and how often it was reported since the last write. */
export interface TalliedError {
  id: string;
  message: string;
  place: string;
  stack: string;
  source: string;
  /** The version of the newest report; `firstVersion` that of the first. */
  version: string;
  firstVersion: string;
  firstAt: number;
  lastAt: number;
  /** By workgroup, version and browser. */
  counts: Map<string, { day: number; workgroup: string; version: string; browser: string; count: number }>;
  locations: Map<string, { workgroup: string; location: string; count: number; lastAt: number }>;
}

/** Counts reports in memory, so that a browser that fails in a loop costs a counter and no writes. */
export class ErrorTally {
  readonly #share = new OwnShare(KINDS_OF_ONE);
  #held = new Map<string, TalliedError>();

  /** False if it is not kept: this person reported too many different errors today, or everybody together did just now. */
  add({ workgroup, userId }: Viewer, failure: FrontendError, agent: string, at: number): boolean {
    const [message, stack] = [scrubbed(failure.message), scrubbed(failure.stack)];
    const place = placeOf(stack);
    const id = fingerprintOf(message, place);
    const day = Math.floor(at / 86_400_000);
    const version = /^[\w.+-]+$/.test(failure.context.version) ? failure.context.version : '?';
    const browser = browserName(agent);
    const countKey = [workgroup, version, browser].join('\n');
    if (!this.#share.takes(userId, `${id}\n${countKey}`, day)) return false;
    if (!this.#held.has(id) && this.#held.size >= HELD && !this.#makeRoom(workgroup)) return false;

    const held = this.#held.get(id) ?? {
      id,
      firstAt: at,
      firstVersion: version,
      counts: new Map(),
      locations: new Map(),
    };
    const source = scrubbed(failure.context.source);
    const newest: TalliedError = { ...held, message, place, stack, source, version, lastAt: at };
    this.#held.set(id, newest);
    const dayKey = `${day}\n${countKey}`;
    const count = newest.counts.get(dayKey)?.count ?? 0;
    newest.counts.set(dayKey, { day, workgroup, version, browser, count: count + 1 });
    const location = scrubbedPath(failure.location);
    const locationKey = `${workgroup}\n${location}`;
    if (this.#share.takes(userId, `${id}\n${locationKey}`, day)) {
      const seen = newest.locations.get(locationKey)?.count ?? 0;
      newest.locations.set(locationKey, { workgroup, location, count: seen + 1, lastAt: at });
    }
    return true;
  }

  /** Drops the oldest error of the workgroup with the most, so that a noisy workgroup does not crowd out the others. */
  #makeRoom(workgroup: string): boolean {
    const byWorkgroup = new Map<string, string[]>();
    for (const [id, { counts }] of this.#held)
      for (const name of new Set([...counts.values()].map((row) => row.workgroup)))
        byWorkgroup.set(name, [...(byWorkgroup.get(name) ?? []), id]);
    const [most] = [...byWorkgroup].toSorted(([, a], [, b]) => b.length - a.length);
    if (!most || most[0] === workgroup || most[1].length <= (byWorkgroup.get(workgroup)?.length ?? 0))
      return false;
    return this.#held.delete(most[1][0] as string);
  }

  /** Takes everything out, always in the same order, so that two writers do not deadlock. */
  take(): TalliedError[] {
    const taken = [...this.#held.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    this.#held = new Map();
    return taken;
  }
}
