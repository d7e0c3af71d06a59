import { randomUUID } from 'node:crypto';
import type { StatementSync } from 'node:sqlite';
import type { EpochChain } from '@albedo/contract/link/link.messages';

/** Earlier starts that are told to the cloud. */
const EPOCHS_TOLD = 98;

type Epoch = EpochChain[number];

/**
 * The starts of an outbox, each with the first number that it gives: this one, and those before it of which the cloud may
 * not know. Whoever writes has a transaction open, and calls `load` when it fails.
 */
export class Epochs {
  readonly #sql: (text: string) => StatementSync;
  #own: Epoch | null = null;
  #isSaved = false;
  chain: EpochChain = [];
  /** The start under which the cloud has acknowledged something last, also where it is none of the chain any more. */
  acked: string | null = null;

  constructor(sql: (text: string) => StatementSync) {
    this.#sql = sql;
  }

  /** Whether this start stands on the disk. */
  get isSaved(): boolean {
    return this.#isSaved;
  }

  /** How the state notes the highest number that was acknowledged, and under which start. */
  ackedUnder(number: number | null): string | null {
    return number === null || this.acked === null ? null : `${this.acked} ${number}`;
  }

  /** `next` is the number that this start gives first, where it has not begun. */
  load(next: number): void {
    this.#own ??= [randomUUID(), next];
    const saved = this.#sql('SELECT id, first FROM epochs ORDER BY first, rowid')
      .all()
      .map((row): Epoch => [String(row.id), Number(row.first)]);
    const state = this.#sql('SELECT acked, acked_under FROM state').get();
    const [ackedBy, number] = String(state?.acked_under ?? '').split(' ');
    // An agent from before this was noted may have written since; then nobody knows.
    this.acked = ackedBy && Number(number) === state?.acked ? ackedBy : null;
    const [id] = this.#own;
    // A start of which nobody was told, and that has given no number, is no epoch of its own; it is saved with either.
    this.#isSaved = saved.some(([one]) => one === id);
    this.chain = [...saved.filter(([one]) => one !== id).slice(-EPOCHS_TOLD), this.#own];
  }

  save(): void {
    if (!this.#own) return;
    this.#sql('INSERT OR IGNORE INTO epochs VALUES (?, ?)').run(...this.#own);
    this.#isSaved = true;
  }

  /** Puts one in the place of all others on the disk; `begin` is for when the transaction is through. */
  rewrite(epoch: Epoch): void {
    this.#sql('DELETE FROM epochs').run();
    this.#sql('INSERT INTO epochs VALUES (?, ?)').run(...epoch);
  }

  /** From here on this start is the one that was written. */
  begin(epoch: Epoch): void {
    this.#own = epoch;
    this.#isSaved = true;
    this.chain = [epoch];
  }

  /** The cloud knows this start: those before it need not be told any more. */
  settle(id: string): void {
    if (id !== this.#own?.[0]) return;
    this.acked = id;
    if (this.chain.length < 2) return;
    this.#sql('DELETE FROM epochs WHERE id <> ?').run(id);
    this.chain = [this.#own];
  }
}
