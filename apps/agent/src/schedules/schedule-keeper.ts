import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { scheduleFile } from '@albedo/contract/schedules/schedule-file';
import { kindOfPath, providerOfPath } from '@albedo/contract/schedules/schedules.names';
import { AskError } from '../link/ask-error.ts';
import { type Log, messageOf } from '../log.ts';
import { splitCsv } from '../parsing/csv.ts';
import { putLasting, readText, removeLasting } from './lasting-file.ts';
import { leaseOf, type VerifiedOrder } from './signed-order.ts';
import { type Known, type Taken, TakenOrders, type Term } from './taken-orders.ts';

const TICK_MS = 1000;
/** What is left of a term is written down so often. */
const NOTE_MS = 30_000;

export interface Placed {
  version: number;
  /** Of the file; null where there is none by now. */
  sha256: string | null;
}

export interface KeeperOptions {
  /** Of what this keeps; nothing that comes over the link writes there. */
  stateFolder: string;
  /** Where the plugin reads its schedules now. */
  schedules: () => string;
  log: Log;
  /** Something came back without an order. */
  tell: (message: string) => void;
  /** Epoch ms. */
  wall?: () => number;
  /** Never goes back, ms. */
  steady?: () => number;
  /** Told before each step that a process can end at. */
  step?: (name: string) => void;
}

/**
 * The files of setpoints on this device, which change by signed orders alone.
 *
 * Rules: what an order does is on the disk before its file is, so that whatever ends this process in between, a trial goes
 * back and an old order stays an old one. Nothing waits between a look at the state and the write that it leads to.
 */
export class ScheduleKeeper {
  readonly #options: KeeperOptions;
  readonly #taken: TakenOrders;
  readonly #wall: () => number;
  readonly #steady: () => number;
  readonly #paths = new Set<string>();
  /** What was left of the term of a path at an instant of the clock that never goes back. */
  readonly #counts = new Map<string, { until: number; leftMs: number; at: number }>();
  readonly #step: (name: string) => void;
  #timer: NodeJS.Timeout | null = null;
  #notedAt: number;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#taken = new TakenOrders(options.stateFolder);
    this.#wall = options.wall ?? Date.now;
    this.#steady = options.steady ?? (() => performance.now());
    this.#step = options.step ?? (() => {});
    this.#notedAt = this.#steady();
  }

  start(): void {
    for (const path of this.#taken.paths()) this.#paths.add(path);
    this.tend();
    this.#timer = setInterval(() => this.tend(), TICK_MS);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  fileOf(path: string): string {
    return join(this.#options.schedules(), providerOfPath(path), `${kindOfPath(path)}.csv`);
  }

  /** Of the order that the file of a path was made of; null where it is of none. */
  versionOf(path: string): number | null {
    const holds = this.#taken.read(path)?.holds;
    return holds ? this.#versionOf(holds, hashOf(readText(this.fileOf(path)))) : null;
  }

  /** Of the newest order that was taken for a path, whatever lies there now; null for none. */
  newestOf(path: string): number | null {
    return this.#taken.read(path)?.newest.version ?? null;
  }

  /** What the file of a path is to be, where an order says so. */
  holds(path: string): Placed | null {
    const holds = this.#taken.read(path)?.holds;
    return holds ? { version: holds.version, sha256: holds.sha256 } : null;
  }

  /** Throws AskError for an order that is not taken; then nothing has changed. */
  obey(order: VerifiedOrder): Placed {
    const { path, version, digest, action } = order;
    this.#paths.add(path);
    this.#tend(path, false);
    const known = this.#taken.read(path);
    if (action === 'confirm') return this.#confirm(order, known);
    if (action === 'renew') return this.#renew(order, known);
    if (known && version < known.newest.version)
      throw refused(`version ${version} is older than ${known.newest.version}, which came before`);
    if (known?.newest.version === version && known.newest.digest !== digest)
      throw refused(`version ${version} was another order when it came before`);
    if (known?.holds?.version === version) return { version, sha256: known.holds.sha256 };
    return this.#place(order, known?.holds ?? null);
  }

  /** Ends what has come to its end. Called all the time, and after a start before anything else. */
  tend(): void {
    const isNoted = this.#steady() - this.#notedAt >= NOTE_MS;
    if (isNoted) this.#notedAt = this.#steady();
    for (const path of this.#paths) {
      try {
        this.#tend(path, isNoted);
      } catch (error) {
        this.#options.log.error(`schedules: ${path}: ${messageOf(error)}`);
      }
    }
  }

  #place(order: VerifiedOrder, holds: Taken | null): Placed {
    const { path, version, digest, entries, endsAt, trialUntil } = order;
    const now = this.#wall();
    const text = order.action === 'release' ? null : scheduleFile({ entries, endsAt });
    const next: Taken = {
      version,
      sha256: hashOf(text),
      override: order.action === 'override' ? overrideOf(order, now) : null,
      trial:
        trialUntil !== null
          ? { ...termOf(trialUntil, now), before: this.#before(path, holds), under: null }
          : order.action === 'override'
            ? trialUnder(holds)
            : null,
      end: null,
    };
    const newest = { version, digest };
    this.#step('verified');
    this.#taken.save(path, { v: 1, newest, holds, next });
    this.#write(path, text);
    this.#taken.save(path, { v: 1, newest, holds: next, next: null });
    // From now on its terms count.
    this.#tend(path, false);
    return { version, sha256: next.sha256 };
  }

  /** What comes back when a trial ends: never what another trial, which nobody confirmed, has put there. */
  #before(path: string, holds: Taken | null): NonNullable<Taken['trial']>['before'] {
    if (holds?.trial && holds.end !== 'reverted') return holds.trial.before;
    const text = readText(this.fileOf(path));
    return { text, sha256: hashOf(text), version: holds && this.#versionOf(holds, hashOf(text)) };
  }

  #versionOf({ version, sha256, trial, end }: Taken, found: string | null): number | null {
    if (found !== sha256) return null;
    return end === 'reverted' ? (trial?.before.version ?? null) : version;
  }

  #confirm({ path, version }: VerifiedOrder, known: Known | null): Placed {
    const laid = known?.holds;
    if (known && laid?.trial?.under?.version === version && !this.#isTrialOver(path, laid)) {
      // It stays under what was set by hand over it.
      this.#taken.save(path, { ...known, holds: { ...laid, trial: null } });
      return { version, sha256: laid.sha256 };
    }
    const { holds, rest } = demandHolds(version, known);
    if (holds.trial && !holds.trial.under)
      this.#taken.save(path, { ...rest, holds: { ...holds, trial: null } });
    return { version, sha256: holds.sha256 };
  }

  #renew(order: VerifiedOrder, known: Known | null): Placed {
    const { path, version } = order;
    const { holds, rest } = demandHolds(version, known);
    if (!holds.override) throw refused(`version ${version} is no override`);
    // An older one that comes again takes nothing away.
    if (order.issuedAt <= holds.override.saidAt) return { version, sha256: holds.sha256 };
    const text = scheduleFile(order);
    this.#write(path, text);
    const override = overrideOf(order, this.#wall());
    this.#taken.save(path, { ...rest, holds: { ...holds, sha256: hashOf(text), override } });
    this.#tend(path, false);
    return { version, sha256: hashOf(text) };
  }

  #tend(path: string, isNoted: boolean): void {
    let known = this.#taken.read(path);
    if (known?.next) {
      // Cut off: the file says whether it came to that. What did not come about is not made up for.
      const isThere = hashOf(readText(this.fileOf(path))) === known.next.sha256;
      known = { ...known, holds: isThere ? known.next : known.holds, next: null };
      this.#taken.save(path, known);
    }
    const { holds } = known ?? {};
    if (!known || !holds || holds.end === 'reverted' || (holds.end === 'over' && !holds.trial?.under)) return;
    const trial = holds.trial;
    const override = holds.end === null ? holds.override : null;
    const trialLeftMs = trial ? this.#leftMs(`${path} trial`, trial) : 0;
    const leaseLeftMs = override ? this.#leftMs(`${path} lease`, override.lease) : 0;
    if (override && leaseLeftMs <= 0 && (trialLeftMs > 0 || !trial || trial.under))
      this.#letGo(path, known, holds);
    else if (trial?.under && override && trialLeftMs <= 0) this.#revertUnder(path, known, holds);
    else if (trial && trialLeftMs <= 0) this.#revert(path, known, holds);
    else if (isNoted && (trial || override)) {
      const noted: Taken = {
        ...holds,
        trial: trial && { ...trial, leftMs: trialLeftMs },
        override: override
          ? { ...override, lease: { ...override.lease, leftMs: leaseLeftMs } }
          : holds.override,
      };
      this.#taken.save(path, { ...known, holds: noted });
    }
  }

  #revert(path: string, known: Known, holds: Taken): void {
    const before = holds.trial?.before;
    if (!before) return;
    this.#write(path, before.text);
    this.#taken.save(path, { ...known, holds: { ...holds, sha256: before.sha256, end: 'reverted' } });
    if (!holds.trial?.under?.isTold) this.#tellReverted(path, holds, 'What was before is back.');
  }

  /** What is set by hand goes on to its own end; what nobody confirmed no longer comes back after it. */
  #revertUnder(path: string, known: Known, holds: Taken): void {
    const { trial, override } = holds;
    if (!trial?.under || !override) return;
    const over = overBefore(override, trial.before.text);
    const text = scheduleFile(over);
    if (text === scheduleFile(override)) return;
    this.#write(path, text);
    const under = { ...trial.under, isTold: true };
    this.#taken.save(path, {
      ...known,
      holds: {
        ...{ ...holds, sha256: hashOf(text) },
        ...{ override: { ...override, ...over }, trial: { ...trial, leftMs: 0, under } },
      },
    });
    if (!trial.under.isTold)
      this.#tellReverted(path, holds, 'What was before comes back after what is set by hand.');
  }

  #tellReverted(path: string, { version, trial }: Taken, what: string): void {
    const tried = trial?.under?.version ?? version;
    this.#options.tell(`${path}: version ${tried} was on trial and nobody confirmed it. ${what}`);
  }

  #isTrialOver(path: string, { trial, end }: Taken): boolean {
    return !trial || end === 'reverted' || this.#leftMs(`${path} trial`, trial) <= 0;
  }

  /** Its file says when its value ends. Where the clock was set back that would be too late, and the file is another one. */
  #letGo(path: string, known: Known, holds: Taken): void {
    const { override } = holds;
    if (!override) return;
    const isEnded = override.lease.until <= this.#wall();
    const text = underneath(override);
    if (!isEnded) this.#write(path, text);
    const sha256 = isEnded ? holds.sha256 : hashOf(text);
    this.#taken.save(path, { ...known, holds: { ...holds, sha256, end: 'over' } });
  }

  /** By the clock on the wall or by the time that has really passed, whichever is over first. */
  #leftMs(key: string, { until, leftMs }: Term): number {
    const wallLeftMs = until - this.#wall();
    let count = this.#counts.get(key);
    if (count?.until !== until) {
      count = { until, leftMs: Math.min(leftMs, wallLeftMs), at: this.#steady() };
      this.#counts.set(key, count);
    }
    return Math.min(wallLeftMs, count.leftMs - (this.#steady() - count.at));
  }

  /** Throws unless the file reads as it was written. */
  #write(path: string, text: string | null): void {
    const file = this.fileOf(path);
    this.#step('decided');
    if (text === null) removeLasting(file);
    else putLasting(file, text);
    if (readText(file) !== text)
      throw new AskError('unable', `${file} does not read as it was written: look at the disk.`);
    this.#step('written');
  }
}

/** Throws AskError unless it is the order that holds. */
function demandHolds(version: number, known: Known | null): { holds: Taken; rest: Omit<Known, 'holds'> } {
  if (!known?.holds || known.holds.version !== version)
    throw new AskError('changed', `Version ${version} is not what this device has taken last.`);
  const { holds, ...rest } = known;
  if (holds.end === 'reverted')
    throw new AskError('changed', 'Its trial is over: what was before has come back.');
  if (holds.end === 'over') throw new AskError('changed', 'Its lease is over on the device.');
  return { holds, rest };
}

type Entry = NonNullable<Taken['override']>['entries'][number];

const termOf = (until: number, now: number): Term => ({ until, leftMs: until - now });

const overrideOf = (order: VerifiedOrder, now: number): Taken['override'] => {
  const { entries, endsAt, issuedAt } = order;
  return { entries, endsAt, lease: termOf(leaseOf(order) ?? now, now), saidAt: issuedAt };
};

/** The trial that an override lies over from now on. */
function trialUnder(holds: Taken | null): Taken['trial'] {
  if (!holds?.trial || holds.end === 'reverted') return null;
  const { trial, version } = holds;
  return { ...trial, under: trial.under ?? { version, isTold: false } };
}

/** An override with what was before a trial under it, instead of the trial. */
function overBefore(
  { entries, lease }: NonNullable<Taken['override']>,
  before: string | null,
): { entries: Entry[]; endsAt: number | null } {
  const [first] = entries;
  const under = linesOf(before);
  if (!first || under.length === 0) return { entries: entries.slice(0, 1), endsAt: lease.until };
  const isPast = ({ datetime }: Entry) => Date.parse(datetime) <= lease.until;
  const value = under.findLast(isPast)?.value ?? '';
  const then = { datetime: new Date(lease.until).toISOString(), value };
  return { entries: [first, then, ...under.filter((entry) => !isPast(entry))], endsAt: null };
}

/** What a file says; nothing of one that nobody can read. */
function linesOf(text: string | null): Entry[] {
  const [, ...lines] = text?.trim().split(/\r?\n/) ?? [];
  const entries = lines.map((line) => {
    const [datetime = '', value = ''] = (splitCsv(line) ?? []).map((cell) => cell.trim());
    return { datetime, value };
  });
  return entries.every(({ datetime }) => Number.isFinite(Date.parse(datetime))) ? entries : [];
}

/** The file of what lies under an override, which goes on from now. */
function underneath({ entries, endsAt }: NonNullable<Taken['override']>): string | null {
  const [first, second, ...later] = entries;
  if (!first || !second) return null;
  return scheduleFile({ entries: [{ ...first, value: second.value }, ...later], endsAt });
}

const hashOf = (text: string | null): string | null =>
  text === null ? null : createHash('sha256').update(text).digest('hex');

const refused = (why: string) => new AskError('refused', `The order is not taken: ${why}.`);
