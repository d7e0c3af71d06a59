import type { Gap } from '@albedo/contract/completeness/completeness.schema';

/** Gaps kept for one device: the newest. */
export const GAPS_KEPT = 2000;

/** The gaps of one device, and which of them are yet to be saved. */
export class LedgerGaps {
  readonly #gaps = new Map<string, Gap>();
  #changed = new Set<Gap>();

  /** One that is saved already. */
  restore(gap: Gap): void {
    this.#gaps.set(gapKey(gap), gap);
  }

  [Symbol.iterator](): IterableIterator<Gap> {
    return this.#gaps.values();
  }

  /** The one that is kept of the same. */
  get(gap: Gap): Gap | undefined {
    return this.#gaps.get(gapKey(gap));
  }

  /** One that is known keeps the time of its first report. */
  add(gap: Gap): void {
    const known = this.get(gap);
    const kept = known ? Object.assign(known, gap, { reportedAt: known.reportedAt }) : gap;
    this.#gaps.set(gapKey(gap), kept);
    this.#changed.add(kept);
    if (this.#gaps.size > GAPS_KEPT) this.#gaps.delete(this.#gaps.keys().next().value ?? '');
  }

  noteChanged(gap: Gap): void {
    this.#changed.add(gap);
  }

  /** Those that are new or have changed since the last call. */
  takeChanged(): Gap[] {
    const changed = [...this.#changed];
    this.#changed = new Set();
    return changed;
  }
}

const gapKey = (gap: Gap): string => `${gap.from}\n${gap.cause}\n${gap.table ?? ''}\n${gap.source ?? ''}`;
