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
}

/** What an outbox says of its numbers. */
export interface Claim {
  outbox: string;
  epochs: EpochChain;
  /** Highest number that the cloud has acknowledged to it; null or absent where it does not say. */
  ackedId?: number | null | undefined;
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

  /**
   * Null when the outbox may number; what it has to do instead otherwise. `arrived` is the highest number that arrived,
   * `told` the highest that an outbox said it has given out.
   */
  admit(claim: Claim, arrived: number, told: number, now: number): EpochGrant | null {
    const [id, first] = claim.epochs.at(-1) as EpochChain[number];
    const owner = this.#owner;
    if (owner?.id === id) {
      this.#granted.clear();
      this.#forget(claim.ackedId ?? 0, arrived);
      this.#heard(owner.outbox, now);
      return null;
    }
    const asked = this.#granted.get(id);
    if (asked && asked.epoch === owner?.id) return asked;
    const top = this.top(Math.max(arrived, told));
    if (this.#forget(claim.ackedId ?? 0, arrived)) {
      const from = Math.max(0, arrived) + 1;
      this.#begin({ id, outbox: claim.outbox, from, to: null }, from - 1, this.#unheard(claim));
      this.#heard(claim.outbox, now, from);
      return null;
    }
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
    const epoch = { id: randomUUID(), outbox: isCopy ? randomUUID() : claim.outbox, from: top + 1, to: null };
    if (keepTo === null) epoch.from = Math.max(epoch.from, first);
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
   * A device that holds acknowledgements of numbers that nobody knows: these records were replaced by older ones. True when
   * they were.
   */
  #forget(ackedId: number, arrived: number): boolean {
    if (ackedId <= Math.max(arrived, this.#reservedTo)) return false;
    this.forgotten.add(Math.max(arrived, 0) + 1, ackedId);
    this.#reservedTo = ackedId;
    this.version++;
    return true;
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
    if (this.#epochs.length > EPOCHS_KEPT) this.#epochs.splice(0, this.#epochs.length - EPOCHS_KEPT);
    this.version++;
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
