import { randomUUID } from 'node:crypto';
import type { Numbering, ReusedNumbers } from '@albedo/contract/completeness/completeness.schema';
import type { EpochChain, EpochGrant } from '@albedo/contract/link/link.messages';
import { IntervalSet, type Range } from './interval-set.ts';

/** One start of an outbox, and the numbers that it owns: from its first up to where another one took over. */
interface Epoch {
  id: string;
  outbox: string;
  from: number;
  /** Null while it owns the numbers of the device. */
  to: number | null;
}

type Writer = Omit<Numbering, 'events'>;

/** What is saved of it, with the ledger of the device. */
export interface SavedNumbers {
  epochs: Epoch[];
  writers: Writer[];
  /** Numbers `from`..`to` that were used twice, and the first of those that the second events got. */
  aliases: [from: number, to: number, alias: number][];
  reused: ReusedNumbers[];
  reservedTo: number;
  /** Ranges that the cloud acknowledged before its records were replaced by a backup; flat, from and to in turn. */
  forgotten: number[];
  /** Numbers of epochs that are too old to be kept one by one; absent where there are none. */
  before?: Owned[];
}

/** Numbers that an outbox gave out. */
type Owned = Pick<Epoch, 'outbox' | 'from'> & { to: number };

/** What has arrived of a device. */
export interface Arrived {
  /** Highest number that arrived. */
  max: number;
  /** Highest number that an outbox said it has given out. */
  told: number;
  /** The first of the missing numbers among which this one is; null where it has arrived. */
  holeOf(number: number): number | null;
}

export interface Admission {
  /** Null when the outbox may number; what it has to do instead otherwise. */
  grant: EpochGrant | null;
  /** What it was told to have arrived and is not known here, where that was not known before. */
  forgotten: Range[];
}

/** What an outbox says of its numbers. */
export interface Claim {
  outbox: string;
  epochs: EpochChain;
  /** Highest number that the cloud has acknowledged to it; null or absent where it does not say. */
  ackedId?: number | null | undefined;
  /** The epoch under which it was. */
  ackedEpoch?: string | null | undefined;
}

const EPOCHS_KEPT = 200;
const WRITERS_KEPT = 50;
const REUSED_KEPT = 100;
/** How far ahead of an agent without epochs the second events get their numbers, so that it does not catch up with them. */
const AHEAD = 2 ** 32;
const SAME_REPORT_MS = 3_600_000;

/**
 * Who numbers the events of one device.
 *
 * Every start of an outbox is an epoch. One epoch owns the numbers at a time: the newest. What came before keeps those up to
 * the highest that was known at that moment. Whoever comes with an epoch that does not own them gets a new one, above all
 * numbers that anybody has used, and numbers again what was not taken. So no number is given to two events, whatever
 * happens to the disks of the device; and since a new epoch is saved before anything of it is stored, an unknown one has
 * nothing in the store.
 */
export class DeviceNumbers {
  #epochs: Epoch[] = [];
  readonly #writers = new Map<string, Writer>();
  #aliases: SavedNumbers['aliases'] = [];
  #reused: ReusedNumbers[] = [];
  #reservedTo = 0;
  #before: Owned[] = [];
  readonly forgotten = new IntervalSet();
  /** Grants that were given and not used yet, by the epoch that asked. */
  readonly #granted = new Map<string, EpochGrant>();
  /** Rises with every change that has to be saved before it counts. */
  version = 0;
  savedVersion = 0;

  restore(saved: SavedNumbers): void {
    this.#epochs = saved.epochs;
    for (const writer of saved.writers) this.#writers.set(writer.outbox, writer);
    this.#aliases = saved.aliases;
    this.#reused = saved.reused;
    this.#reservedTo = saved.reservedTo;
    this.#before = saved.before ?? [];
    for (let at = 0; at + 1 < saved.forgotten.length; at += 2) {
      this.forgotten.add(saved.forgotten[at] as number, saved.forgotten[at + 1] as number);
    }
  }

  save(): SavedNumbers {
    return {
      epochs: this.#epochs,
      writers: [...this.#writers.values()],
      aliases: this.#aliases,
      reused: this.#reused,
      reservedTo: this.#reservedTo,
      forgotten: [...this.forgotten].flat(),
      ...(this.#before.length > 0 ? { before: this.#before } : {}),
    };
  }

  /** Null when nobody has claimed the numbers with an epoch. */
  get #owner(): Epoch | null {
    const last = this.#epochs.at(-1);
    return last && last.to === null ? last : null;
  }

  /** Highest number that belongs to somebody; `seen` is the highest of those that arrived. */
  top(seen: number): number {
    return Math.max(0, seen, this.#reservedTo, (this.#owner?.from ?? 1) - 1);
  }

  admit(claim: Claim, arrived: Arrived, now: number): Admission {
    // As it was before the outbox told what is missing: its own numbers are in nobody's way.
    const top = this.top(Math.max(arrived.max, arrived.told));
    const forgotten = this.#forget(claim, arrived);
    return { grant: this.#admit(claim, top, now), forgotten };
  }

  #admit(claim: Claim, top: number, now: number): EpochGrant | null {
    const [id, first] = claim.epochs.at(-1) as EpochChain[number];
    const owner = this.#owner;
    if (owner?.id === id) {
      this.#granted.clear();
      this.#heard(owner.outbox, now);
      return null;
    }
    const asked = this.#granted.get(id);
    if (asked && asked.epoch === owner?.id) return asked;
    const keepTo = this.#keepTo(claim.epochs, top);
    const isCopy = this.#isFork(claim);
    if (keepTo === null && !isCopy) {
      const parent = claim.epochs.findIndex(([one]) => one === owner?.id);
      const from = parent < 0 ? first : (claim.epochs[parent + 1]?.[1] ?? first);
      const epoch = { id, outbox: claim.outbox, from: first, to: null };
      this.#begin(epoch, parent < 0 ? top : from - 1, this.#unheard(claim));
      this.#heard(claim.outbox, now, from);
      return null;
    }
    const from = Math.max(this.top(top) + 1, keepTo === null ? first : 0);
    const epoch = { id: randomUUID(), outbox: isCopy ? randomUUID() : claim.outbox, from, to: null };
    this.#begin(epoch, top);
    this.#heard(epoch.outbox, now, epoch.from, isCopy ? 'copy' : 'new');
    const grant = {
      for: id,
      epoch: epoch.id,
      first: epoch.from,
      keepTo: keepTo ?? Number.MAX_SAFE_INTEGER,
      outbox: epoch.outbox,
    };
    this.#granted.set(id, grant);
    return grant;
  }

  /**
   * The highest number that the outbox can keep for what it holds; null when that is all of them. An epoch that was ended
   * keeps what it had then; one that nobody knows has nothing here, so it keeps only what is above everything.
   */
  #keepTo(chain: EpochChain, top: number): number | null {
    let keepTo = Number.POSITIVE_INFINITY;
    for (const [at, [id, first]] of chain.entries()) {
      const known = this.#epochs.find((one) => one.id === id);
      const last = (chain[at + 1]?.[1] ?? Number.POSITIVE_INFINITY) - 1;
      if (!known && first <= top) keepTo = Math.min(keepTo, first - 1);
      if (known && known.to !== null && known.to < last) keepTo = Math.min(keepTo, known.to);
    }
    return keepTo === Number.POSITIVE_INFINITY ? null : keepTo;
  }

  /** Another outbox of this name has gone on from a state that this one does not have. */
  #isFork({ outbox, epochs }: Claim): boolean {
    const latest = this.#epochs.findLast((one) => one.outbox === outbox);
    return latest !== undefined && !epochs.some(([id]) => id === latest.id);
  }

  /**
   * What was acknowledged to an outbox and is not known here, since these records were replaced by older ones. Of an epoch
   * that nobody knows nothing is stored, and of one that was ended nothing above its end, whoever has used the numbers since.
   */
  #forget({ epochs, ackedId, ackedEpoch }: Claim, arrived: Arrived): Range[] {
    if (!ackedId) return [];
    const missing = new IntervalSet();
    const hole = arrived.holeOf(ackedId);
    if (hole !== null) missing.add(hole, ackedId);
    const known = this.#epochs.find(({ id }) => id === ackedEpoch);
    const first = epochs.find(([id]) => id === ackedEpoch)?.[1] ?? ackedId;
    const from = known ? (known.to ?? ackedId) + 1 : Math.min(first, ackedId);
    if (ackedEpoch && from <= ackedId && !this.#isRetired(ackedId)) missing.add(from, ackedId);
    const fresh = [...missing].filter((range) => !this.forgotten.isFull(...range));
    for (const [from, to] of fresh) {
      this.forgotten.add(from, to);
      this.#reservedTo = Math.max(this.#reservedTo, to);
      this.version++;
    }
    return fresh;
  }

  /** Whether the epoch of a number may be too old to be known. */
  #isRetired(number: number): boolean {
    return this.#before.length > 0 && number < (this.#epochs[0]?.from ?? 0);
  }

  /**
   * Earlier starts of an outbox of which nobody heard while they ran. What they numbered is sent by the one that claims, so they
   * have to be known from here on: of an unknown one nothing is stored.
   */
  #unheard({ outbox, epochs }: Claim): Epoch[] {
    return epochs.slice(0, -1).flatMap(([id, from], at) => {
      if (this.#epochs.some((one) => one.id === id)) return [];
      const [, next] = epochs[at + 1] as EpochChain[number];
      return [{ id, outbox, from, to: next - 1 }];
    });
  }

  #begin(epoch: Epoch, ownerEndsAt: number, unheard: readonly Epoch[] = []): void {
    const owner = this.#owner;
    if (owner) owner.to = Math.max(ownerEndsAt, owner.from - 1);
    this.#epochs.push(...unheard, epoch);
    while (this.#epochs.length > EPOCHS_KEPT) this.#retire(this.#epochs.shift() as Epoch);
    this.version++;
  }

  /** Nobody asks for the epoch itself any more; whose its numbers were is still known. */
  #retire({ outbox, from, to }: Epoch): void {
    const last = this.#before.at(-1);
    const end = to ?? from;
    if (last?.outbox === outbox && from <= last.to + 1) last.to = Math.max(last.to, end);
    else this.#before.push({ outbox, from, to: end });
    if (this.#before.length > EPOCHS_KEPT) this.#before.shift();
  }

  /**
   * The numbers that an outbox may have given out. Those of an outbox without epochs are not known, so it is all of them; what
   * was numbered before there were any counts for everybody.
   */
  *ownedBy(outbox: string): Generator<Range> {
    const all = [...this.#before, ...this.#epochs];
    const own = all.filter((one) => one.outbox === outbox);
    const [first] = all;
    if (own.length === 0 || !first) {
      yield [0, Number.MAX_SAFE_INTEGER];
      return;
    }
    const numbers = new IntervalSet();
    if (this.#before.length === 0) numbers.add(0, first.from - 1);
    for (const { from, to } of own)
      if (to === null || to >= from) numbers.add(from, to ?? Number.MAX_SAFE_INTEGER);
    yield* numbers;
  }

  #heard(outbox: string, now: number, from = 1, began: Writer['began'] = 'new'): void {
    const writer = this.#writers.get(outbox) ?? { outbox, began, from, since: now, lastAt: now };
    writer.lastAt = now;
    this.#writers.set(outbox, writer);
    if (this.#writers.size <= WRITERS_KEPT) return;
    const oldest = [...this.#writers.values()].reduce((a, b) => (b.lastAt < a.lastAt ? b : a));
    this.#writers.delete(oldest.outbox);
  }

  /** Numbers under which events that came with this one may be stored, in the order in which they were given. */
  *aliasesOf(number: number): Generator<number> {
    for (const [from, to, alias] of this.#aliases) {
      if (number >= from && number <= to) yield alias + number - from;
    }
  }

  /** Gives new numbers to events that came with numbers of others. What owns the device's numbers has to ask again. */
  addAliases(ranges: readonly Range[], seen: number): void {
    const owner = this.#owner;
    const top = this.top(seen);
    if (owner) owner.to = Math.max(top, owner.from - 1);
    let next = top + 1 + (owner || this.#reservedTo >= seen ? 0 : AHEAD);
    for (const [from, to] of ranges) {
      this.#aliases.push([from, to, next]);
      next += to - from + 1;
    }
    this.#reservedTo = next - 1;
    this.version++;
  }

  noteReused(outbox: string, ranges: readonly Range[], now: number): void {
    for (const [from, to] of ranges) {
      const open = this.#reused.find(
        (one) => one.outbox === outbox && one.to < from && now - one.at < SAME_REPORT_MS,
      );
      if (open) {
        open.to = to;
        open.events += to - from + 1;
      } else this.#reused.unshift({ outbox, from, to, events: to - from + 1, at: now });
    }
    this.#reused.length = Math.min(this.#reused.length, REUSED_KEPT);
    this.version++;
  }

  /** Whether the outbox began as a copy of another one. */
  isCopy(outbox: string): boolean {
    return this.#writers.get(outbox)?.began === 'copy';
  }

  get reused(): ReusedNumbers[] {
    return this.#reused;
  }

  /** `countOf` answers how many events the ledger has between two numbers. */
  numberings(countOf: (from: number, to: number) => number): Numbering[] {
    const events = new Map<string, number>();
    for (const { outbox, from, to } of this.#epochs) {
      const count = countOf(from, to ?? Number.MAX_SAFE_INTEGER);
      events.set(outbox, (events.get(outbox) ?? 0) + count);
    }
    return [...this.#writers.values()]
      .map((writer) => ({ ...writer, events: events.get(writer.outbox) ?? 0 }))
      .sort((a, b) => b.lastAt - a.lastAt);
  }
}
