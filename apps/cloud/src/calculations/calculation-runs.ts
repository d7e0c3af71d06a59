import { setTimeout as pause } from 'node:timers/promises';
import type { Entities } from '../entities/entities.service.ts';
import type { EntityStreams } from '../entities/entity-streams.service.ts';
import type { TellList } from '../sockets/lists.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { CalculationGraph } from './calculation-graph.ts';
import type { Surroundings } from './calculation-plan.ts';
import { CalculationWatch } from './calculation-watch.ts';
import { batchesOf, CalculationWork } from './calculation-work.ts';
import type { CalculationsStore, WorkRow } from './calculations.store.ts';

export interface CalculationRunsOptions {
  store: CalculationsStore;
  entities: Entities;
  entityStreams: EntityStreams;
  telemetry: Telemetry;
  workgroups: Pick<Workgroups, 'hasAddon'>;
  tell: TellList;
  /** Has what is due of a workgroup computed. */
  work: (workgroup: string) => Promise<void>;
}

/** A stretch that failed is tried again after so long, doubled each time, ms. */
const RETRY_MS = 30_000;
const RETRY_MOST_MS = 3_600_000;
/**
 * Who computes for longer than this leaves the engine to others half of the time, ms: a year that is filled in is long
 * work, and what people look at goes first. What is late by an hour is done sooner.
 */
const UNDISTURBED_MS = 10_000;
const PAUSE_MOST_MS = 1000;

/** Finds what is to be computed, and computes it: the deepest of a chain last, and what failed again later. */
export class CalculationRuns {
  readonly #options: CalculationRunsOptions;
  readonly #watch: CalculationWatch;
  readonly #work: CalculationWork;

  constructor(options: CalculationRunsOptions) {
    this.#options = options;
    this.#watch = new CalculationWatch(options);
    this.#work = new CalculationWork(options);
  }

  /** Looks for what is to be computed, in every workgroup that may have calculations. */
  async watch(signal?: AbortSignal): Promise<void> {
    const { store, workgroups, work } = this.#options;
    for (const workgroup of await store.workgroups()) {
      signal?.throwIfAborted();
      if (!workgroups.hasAddon(workgroup, 'calculations')) continue;
      await this.#watch.look(workgroup, await this.#around(workgroup, signal), signal);
      if ((await store.waiting(workgroup, Date.now())).size > 0) await work(workgroup);
    }
  }

  /** Computes what is due in a workgroup, until nothing is. */
  async computeDue(workgroup: string, signal?: AbortSignal): Promise<void> {
    const { store, workgroups, tell } = this.#options;
    if (!workgroups.hasAddon(workgroup, 'calculations')) return;
    const began = performance.now();
    for (let isAny = true; isAny; ) {
      const due = await store.dueWork(workgroup, Date.now());
      isAny = due.length > 0;
      if (!isAny) break;
      const rows = await store.list(workgroup);
      const graph = new CalculationGraph(rows);
      const around = await this.#around(workgroup, signal);
      const depths = new Map(rows.map(({ id }) => [id, graph.depthOf(id)]));
      const depthOf = ([work]: readonly WorkRow[]) => depths.get(work?.calculation ?? '') ?? 0;
      for (const batch of batchesOf(due).toSorted((a, b) => depthOf(a) - depthOf(b))) {
        signal?.throwIfAborted();
        const row = rows.find(({ id }) => id === batch[0]?.calculation);
        if (!row) continue;
        const from = performance.now();
        try {
          await this.#work.compute(row, batch, { around, graph, rows }, signal);
        } catch (error) {
          if (signal?.aborted) throw error;
          for (const work of batch) {
            const again = Math.min(RETRY_MOST_MS, RETRY_MS * 2 ** work.attempts);
            await store.postponeWork(work, Date.now() + again);
          }
          await store.note(store.db, row.id, error instanceof Error ? error.message : String(error));
        }
        const ended = performance.now();
        if (ended - began > UNDISTURBED_MS)
          await pause(Math.min(ended - from, PAUSE_MOST_MS), undefined, signal ? { signal } : {});
      }
    }
    tell('calculations', workgroup);
  }

  async #around(workgroup: string, signal?: AbortSignal): Promise<Surroundings> {
    const { entities, entityStreams, telemetry } = this.#options;
    const [facts, world] = await Promise.all([
      entities.allFacts(workgroup),
      entityStreams.whole(workgroup, signal),
    ]);
    return {
      world,
      entities: facts,
      reader: telemetry.asSystem('calculations', workgroup),
      now: Date.now(),
    };
  }
}
