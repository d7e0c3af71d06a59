import { setTimeout as sleep } from 'node:timers/promises';
import type { Damage, FoundDamage } from '@albedo/contract/store-checks/store-checks.schema';
import { mendIndexes } from '@albedo/postgres/damage';
import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import { type Audit, PROVIDER_LOG } from '../audit/audit.service.ts';
import type { DetachedPart, StorePart } from '../telemetry/telemetry.service.ts';
import { damagedTables } from './records.check.ts';

/** The engine, as far as it is asked for what is damaged. */
export interface CheckedStore {
  listParts(): Promise<StorePart[]>;
  brokenParts(): Promise<DetachedPart[]>;
  damageOf(part: StorePart): Promise<string | null>;
  setAsidePart(part: StorePart): Promise<{ saved: number; lost: number }>;
}

/** Reading takes one hundredth of the time, so a small store is read within minutes and a large one costs nobody anything. */
const SHARE = 0.01;
/** As soon as the server answers, so much time is taken for each engine at once, ms. */
const AT_ONCE_MS = 20_000;
const LONGEST_PAUSE_MS = 600_000;
/**
 * Tables that can be read without one of their parts. The catalogue cannot: a field without its column would be given another
 * one, and older events read wrongly.
 */
const REPLACEABLE: ReadonlySet<string> = new Set(['events', 'latest']);
/** What is being read when the server stops is not waited for longer. */
const LAST_LOOK_MS = 1000;
type Pause = (readMs: number, engine: Damage['engine']) => Promise<void>;
/** Between two rounds. */
const ROUND_MS = 3_600_000;

/**
 * Looks for what the disk has damaged: what the engine set aside when it opened, every part of the store against its checksums,
 * every page of the records, and every photo. What is damaged is named to the staff and in `/readyz`, and told once in the
 * provider's audit log. A damaged part is taken out of its table, so that the rest goes on being read; the scrub tells the gap.
 */
export class StoreChecks {
  readonly #store: CheckedStore;
  readonly #postgres: Postgres;
  readonly #files: () => AsyncIterable<FoundDamage | null>;
  readonly #audit: Pick<Audit, 'record'>;
  readonly #log: Logger;
  readonly #onChange: () => void;
  readonly #damages = new Map<string, Damage>();
  readonly #stopping = new AbortController();
  #working: Promise<void> = Promise.resolve();

  constructor(of: {
    store: CheckedStore;
    postgres: Postgres;
    /** Reads files against their hashes; yields after each, null where it is whole. */
    files: () => AsyncIterable<FoundDamage | null>;
    audit: Pick<Audit, 'record'>;
    log: Logger;
    onChange: () => void;
  }) {
    this.#store = of.store;
    this.#postgres = of.postgres;
    this.#files = of.files;
    this.#audit = of.audit;
    this.#log = of.log;
    this.#onChange = of.onChange;
  }

  start(): void {
    this.#working = this.#goOn();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.race([this.#working, sleep(LAST_LOOK_MS, undefined, { ref: false })]);
  }

  /** Newest first. */
  get damages(): Damage[] {
    return [...this.#damages.values()].sort((a, b) => b.foundAt - a.foundAt);
  }

  /** What `/readyz` says of an engine; null when nothing of it is known to be damaged. */
  saying(engine: Damage['engine']): string | null {
    const names = this.damages.filter((one) => one.engine === engine).map(({ what }) => what);
    if (names.length === 0) return null;
    const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
    return `damaged on the disk: ${names.slice(0, 3).join(', ')}${more}`;
  }

  /** One round through all; `pause` waits after each piece of an engine that was read. */
  async round(pause: Pause = async () => {}): Promise<void> {
    await Promise.all([this.#engines(pause), this.#read('files', this.#files(), pause)]);
  }

  async #engines(pause: Pause): Promise<void> {
    for (const { table, part, reason } of await this.#store.brokenParts())
      this.#note({ engine: 'telemetry', what: `${table} ${part}`, reason, isSetAside: true });
    await this.#parts((readMs) => pause(readMs, 'telemetry'));
    await this.#read('records', this.#records(), pause);
  }

  async #parts(pause: (readMs: number) => Promise<void>): Promise<void> {
    for (const part of await this.#store.listParts()) {
      if (this.#stopping.signal.aborted) return;
      const began = performance.now();
      const reason = await this.#store.damageOf(part);
      if (reason) await this.#setAside(part, reason);
      await pause(performance.now() - began);
    }
  }

  async *#records(): AsyncGenerator<FoundDamage | null> {
    if (this.#postgres.engine === 'pglite') yield* damagedTables(this.#postgres);
    for (const { isMended, ...damage } of await mendIndexes(this.#postgres)) {
      if (isMended)
        this.#tell({ engine: 'records', ...damage }, 'the disk has damaged an index; it is made anew');
      else yield damage;
    }
  }

  async #read(
    engine: 'records' | 'files',
    found: AsyncIterable<FoundDamage | null>,
    pause: Pause,
  ): Promise<void> {
    const seen = new Set<string>();
    let began = performance.now();
    for await (const damage of found) {
      if (this.#stopping.signal.aborted) return;
      if (damage) {
        seen.add(damage.what);
        this.#note({ engine, ...damage, isSetAside: false });
      }
      await pause(performance.now() - began, engine);
      began = performance.now();
    }
    // What was mended, by a restored backup or by hand, is damaged no more.
    for (const [key, { engine: of, what }] of this.#damages)
      if (of === engine && !seen.has(what) && this.#damages.delete(key)) this.#onChange();
  }

  async #setAside(part: StorePart, reason: string): Promise<void> {
    const what = `${part.table} ${part.part}`;
    if (!REPLACEABLE.has(part.table)) {
      this.#note({ engine: 'telemetry', what, reason, isSetAside: false });
      return;
    }
    try {
      const counts = await this.#store.setAsidePart(part);
      this.#note({ engine: 'telemetry', what, reason, isSetAside: true, ...counts });
    } catch (err) {
      this.#log.error({ err, what }, 'a damaged part cannot be taken out');
      this.#note({ engine: 'telemetry', what, reason, isSetAside: false });
    }
  }

  #note(found: Pick<Damage, 'engine' | 'what' | 'reason' | 'isSetAside'> & Partial<Damage>): void {
    const key = `${found.engine}\n${found.what}`;
    if (this.#damages.has(key)) return;
    this.#damages.set(key, { saved: null, lost: null, ...found, foundAt: Date.now() });
    this.#tell(found, 'the disk has damaged something');
    this.#onChange();
  }

  #tell(found: Pick<Damage, 'engine' | 'what' | 'reason'>, message: string): void {
    this.#log.error(found, message);
    this.#audit.record({
      workgroup: PROVIDER_LOG,
      at: Date.now(),
      controller: 'server',
      entity: found.what,
      action: 'damage',
      attribute: found.engine,
      newValue: found.reason,
      by: null,
      status: 'failed',
    });
  }

  async #goOn(): Promise<void> {
    const { signal } = this.#stopping;
    // None waits for another one, however long that one takes on a busy machine.
    const readMsOf = { telemetry: 0, records: 0, files: 0 };
    const pause: Pause = async (readMs, engine) => {
      readMsOf[engine] += readMs;
      if (readMsOf[engine] < AT_ONCE_MS) return;
      await sleep(Math.min(readMs / SHARE, LONGEST_PAUSE_MS), undefined, { signal }).catch(() => {});
    };
    while (!signal.aborted) {
      await this.round(pause).catch((err: Error) => {
        if (!signal.aborted) this.#log.error({ err }, 'the store cannot be checked');
      });
      await sleep(ROUND_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }
}
