import type { Gap } from '@albedo/contract/completeness/completeness.schema';
import { CLOUD_TABLES } from '@albedo/contract/telemetry/telemetry.schema';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Bus } from '../bus/bus.ts';
import { topic } from '../bus/topic.ts';
import { defineJob } from '../jobs/job.ts';
import {
  type Deletion,
  isDamage,
  type ScrubGroup,
  type StreamCount,
} from '../telemetry/telemetry.service.ts';
import type { DayCount, ScrubStore } from './scrub.store.ts';

/** The engine, as far as a scrub asks it. */
export interface Scrubbed {
  groupAfter(last: ScrubGroup | null): Promise<ScrubGroup | null>;
  readGroup(group: ScrubGroup): Promise<StreamCount[]>;
  countSince(at: number): Promise<Map<string, number>>;
  deletions(): Promise<Deletion[]>;
}

/** What a scrub found missing, or found again (`events` 0). */
export const storeScrubbed = topic<{ device: string; gaps: Gap[] }>('completeness:scrubbed');

/** A minute's share of a core: at most 1 % of it. */
const BUDGET_MS = 600;
const DAY_MS = 86_400_000;
/** A deletion may still be running when the rows that it deletes are counted. */
const DELETION_MS = 3_600_000;

/**
 * Counts what can really be read in the store, per device, stream and day, and compares: with what it counted before, and
 * at the end of each round with what the ledger says was stored. It reads every value, so damaged files are found too.
 *
 * A round goes through the store in the order of its files, a little every minute. Events that were deleted on purpose are
 * not missing.
 */
export class Scrub {
  readonly #engine: Scrubbed;
  readonly #store: ScrubStore;
  readonly #bus: Bus;
  readonly #log: Logger;
  #last: ScrubGroup | null = null;
  /** When the present round began; null after a start in the middle of one. Epoch ms. */
  #begunAt: number | null = null;
  #isPlaced = false;

  readonly job = defineJob({
    name: 'telemetry-scrub',
    payload: z.object({}),
    limitS: 300,
    retry: { times: 0, afterS: 0, atMostS: 0 },
    oneAtATime: { key: () => 'all', waiting: 'one' },
    schedule: { cron: '* * * * *', zone: 'UTC', payload: {} },
    run: ({ signal }) => this.work(BUDGET_MS, signal),
  });

  constructor(of: { engine: Scrubbed; store: ScrubStore; bus: Bus; log: Logger }) {
    this.#engine = of.engine;
    this.#store = of.store;
    this.#bus = of.bus;
    this.#log = of.log;
  }

  /** Goes on where it was, for about so long, and through one round at most. */
  async work(budgetMs: number, signal?: AbortSignal): Promise<void> {
    if (!this.#isPlaced) this.#last = await this.#store.newest();
    this.#isPlaced = true;
    const endsAt = performance.now() + budgetMs;
    while (performance.now() < endsAt && !signal?.aborted) {
      const group = await this.#engine.groupAfter(this.#last);
      if (this.#last === null) this.#begunAt = Date.now();
      this.#last = group;
      if (!group) {
        await this.#endRound();
        return;
      }
      if (!CLOUD_TABLES.has(group.table)) await this.#look(group);
    }
  }

  async #look(group: ScrubGroup): Promise<void> {
    const at = Date.now();
    const counts = await this.#read(group);
    const before = await this.#store.counted(group);
    const deletions = await this.#engine.deletions();
    const found = new Map(counts.map(({ device, source, events }) => [`${device}\n${source}`, events]));
    const days = before.map((day) => {
      const key = `${day.device}\n${day.source}`;
      const events = found.get(key) ?? 0;
      found.delete(key);
      return compared(day, events, isDeleted(day, deletions));
    });
    for (const [key, events] of found) {
      const [device = '', source = ''] = key.split('\n');
      days.push({ ...group, device, source, events, missing: 0, seenAt: at });
    }
    await this.#settle(before, days, at);
  }

  /** Nothing where the files of the group are damaged. */
  async #read(group: ScrubGroup): Promise<StreamCount[]> {
    try {
      return await this.#engine.readGroup(group);
    } catch (err) {
      if (!isDamage(err)) throw err;
      this.#log.error({ err, ...group }, 'events of one day cannot be read: the store is damaged');
      return [];
    }
  }

  /** Days that are gone from the store as a whole, and streams of which less is there than the ledger counted. */
  async #endRound(): Promise<void> {
    const begunAt = this.#begunAt;
    this.#begunAt = null;
    if (begunAt === null) return;
    const deletions = await this.#engine.deletions();
    const unseen = await this.#store.notSeenSince(begunAt);
    const gone = unseen.map((day) => compared(day, 0, isDeleted(day, deletions)));
    await this.#settle(unseen, gone, begunAt);
    await this.#compareTotals(begunAt, deletions);
    this.#log.info('the telemetry store was counted through');
  }

  /** What was stored since the round began may have been counted in it or not. */
  async #compareTotals(begunAt: number, deletions: readonly Deletion[]): Promise<void> {
    const since = await this.#engine.countSince(begunAt);
    const gaps = new Map<string, Gap[]>();
    for (const { device, table, source, stored, counted, storedIn } of await this.#store.totals()) {
      if (deletions.some((one) => one.workgroup === storedIn && one.table === table)) continue;
      const missing = stored - (since.get(`${device}\n${table}\n${source}`) ?? 0) - counted;
      const list = gaps.get(device) ?? [];
      gaps.set(device, list);
      list.push(gapOf({ table, source, day: null }, Math.max(0, missing)));
    }
    for (const [device, list] of gaps) this.#tell(device, list);
  }

  async #settle(before: readonly DayCount[], days: readonly DayCount[], at: number): Promise<void> {
    const missed = new Map(before.map((day) => [`${day.device}\n${day.source}\n${day.day}`, day.missing]));
    const gaps = new Map<string, Gap[]>();
    for (const day of days) {
      const was = missed.get(`${day.device}\n${day.source}\n${day.day}`) ?? 0;
      if (day.missing === was) continue;
      gaps.set(day.device, [...(gaps.get(day.device) ?? []), gapOf(day, day.missing)]);
      if (day.missing > 0) {
        const { device, table, source, missing } = day;
        this.#log.error(
          { device, table, source, day: day.day, missing },
          'stored events are missing in the store',
        );
      }
    }
    await this.#store.save(days, at);
    for (const [device, list] of gaps) this.#tell(device, list);
  }

  #tell(device: string, gaps: Gap[]): void {
    void this.#bus.publish(storeScrubbed, { device, gaps });
  }
}

/** The count of a day as it is now; what is less than before is missing, unless it was deleted. */
function compared(before: DayCount, events: number, wasDeleted: boolean): DayCount {
  if (wasDeleted || events >= before.events) return { ...before, events, missing: 0 };
  return { ...before, missing: before.events - events };
}

const isDeleted = ({ workgroup, table, day, seenAt }: DayCount, deletions: readonly Deletion[]): boolean =>
  deletions.some(
    (one) =>
      one.workgroup === workgroup &&
      one.table === table &&
      (one.before === null || day * DAY_MS < one.before) &&
      (one.since === undefined || day * DAY_MS >= one.since) &&
      !one.except?.some(({ from, to }) => day * DAY_MS >= from && day * DAY_MS < to) &&
      one.at + DELETION_MS >= seenAt,
  );

/** Which numbers are missing is not known: the gap stands under its day, or under 0 for all days together. */
function gapOf(of: { table: string; source: string; day: number | null }, events: number): Gap {
  const { table, source, day } = of;
  return {
    from: day ?? 0,
    to: day ?? 0,
    table,
    source,
    cause: 'store_lost',
    events,
    firstEventAt: day === null ? null : day * DAY_MS,
    lastEventAt: day === null ? null : (day + 1) * DAY_MS - 1,
    reportedAt: Date.now(),
  };
}
