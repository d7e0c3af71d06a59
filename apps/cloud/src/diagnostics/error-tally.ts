import type { FrontendError } from '@albedo/contract/diagnostics/diagnostics.schema';
import { browserName } from './browser-name.ts';
import { fingerprintOf, placeOf } from './fingerprint.ts';
import { OwnShare } from './own-share.ts';
import { scrubbed, scrubbedPath } from './scrubbed.ts';

/** Kinds of failures, by version and browser and by address, that one person can report in a day. */
const KINDS_OF_ONE = 60;
/** Different failures between two writes; what comes beyond that is not kept. */
const HELD = 500;

/** Whose browser it is; of the person only the id is kept. */
export interface Viewer {
  workgroup: string;
  userId: string;
}

/** How often something was reported since it was last written down. */
export interface TalliedError {
  id: string;
  message: string;
  place: string;
  stack: string;
  source: string;
  /** Of the newest, and of the first one. */
  version: string;
  firstVersion: string;
  firstAt: number;
  lastAt: number;
  /** By workgroup, version and browser. */
  counts: Map<string, { day: number; workgroup: string; version: string; browser: string; count: number }>;
  locations: Map<string, { workgroup: string; location: string; count: number; lastAt: number }>;
}

/** Counts in memory what browsers report, so that a browser that fails in a loop costs a number and no writing. */
export class ErrorTally {
  readonly #share = new OwnShare(KINDS_OF_ONE);
  #held = new Map<string, TalliedError>();

  /** False where it is not kept: the person reported too many different things today, or everybody did just now. */
  add({ workgroup, userId }: Viewer, told: FrontendError, agent: string, at: number): boolean {
    const [message, stack] = [scrubbed(told.message), scrubbed(told.stack)];
    const place = placeOf(stack);
    const id = fingerprintOf(message, place);
    const day = Math.floor(at / 86_400_000);
    const version = /^[\w.+-]+$/.test(told.context.version) ? told.context.version : '?';
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
    const source = scrubbed(told.context.source);
    const newest: TalliedError = { ...held, message, place, stack, source, version, lastAt: at };
    this.#held.set(id, newest);
    const dayKey = `${day}\n${countKey}`;
    const count = newest.counts.get(dayKey)?.count ?? 0;
    newest.counts.set(dayKey, { day, workgroup, version, browser, count: count + 1 });
    const location = scrubbedPath(told.location);
    const locationKey = `${workgroup}\n${location}`;
    if (this.#share.takes(userId, `${id}\n${locationKey}`, day)) {
      const seen = newest.locations.get(locationKey)?.count ?? 0;
      newest.locations.set(locationKey, { workgroup, location, count: seen + 1, lastAt: at });
    }
    return true;
  }

  /** Takes the oldest of the workgroup with the most, so that one that fails loudly keeps no other from being heard. */
  #makeRoom(workgroup: string): boolean {
    const own = new Map<string, string[]>();
    for (const [id, { counts }] of this.#held)
      for (const name of new Set([...counts.values()].map((one) => one.workgroup)))
        own.set(name, [...(own.get(name) ?? []), id]);
    const [most] = [...own].toSorted(([, a], [, b]) => b.length - a.length);
    if (!most || most[0] === workgroup || most[1].length <= (own.get(workgroup)?.length ?? 0)) return false;
    return this.#held.delete(most[1][0] as string);
  }

  /** What there is, which is no longer held then; always in the same order, so that two who write do not wait for each other. */
  take(): TalliedError[] {
    const taken = [...this.#held.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    this.#held = new Map();
    return taken;
  }
}
