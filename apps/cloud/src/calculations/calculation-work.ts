import { AppError } from '../errors/app-error.ts';
import { checkKpi } from '../kpis/kpis.service.ts';
import type { Telemetry, TelemetryBlock, TelemetryReader } from '../telemetry/telemetry.service.ts';
import { CALCULATED } from '../telemetry/telemetry.service.ts';
import type { CalculationGraph } from './calculation-graph.ts';
import {
  evaluationOf,
  fieldsOf,
  SETTLE_MS,
  type Surroundings,
  stretchesOver,
  targetsOf,
  zoneAt,
} from './calculation-plan.ts';
import {
  type CalculationRow,
  type CalculationsStore,
  causeOf,
  type NewChange,
  type NewWork,
  type WorkRow,
} from './calculations.store.ts';

/** Entities times intervals that are computed at once. */
const CELLS = 200_000;
/** Stretches that are computed at once. */
const BATCH = 61;
/** Two results are the same where they differ by less than this share: sums depend on their order. */
const SAME = 1e-9;
const DAY_MS = 86_400_000;

/** What is written of one entity at one instant. */
interface Written {
  entity: string;
  at: number;
  /** In the order of the fields. */
  was: readonly (number | null)[];
  now: readonly (number | null)[];
}

/**
 * Computes stretches that follow one another, and writes what is another number now, and nothing else.
 *
 * Order of the writes: first the changes with their followers, then the records, then that it is done. A cut at any place
 * has them computed again: what was written is found to be the same, what was not is written.
 */
export class CalculationWork {
  readonly #store: CalculationsStore;
  readonly #telemetry: Telemetry;

  constructor(of: { store: CalculationsStore; telemetry: Telemetry }) {
    this.#store = of.store;
    this.#telemetry = of.telemetry;
  }

  /** Answers whether any number changed. */
  async compute(
    row: CalculationRow,
    batch: readonly WorkRow[],
    of: { around: Surroundings; graph: CalculationGraph; rows: readonly CalculationRow[] },
    signal?: AbortSignal,
  ): Promise<boolean> {
    const { around, graph, rows } = of;
    const [work] = batch;
    if (!work) return false;
    const wanted = work.entities === null ? null : new Set(work.entities);
    const at = targetsOf(row, [...around.entities.values()])
      .map(({ _id }) => _id)
      .filter((id) => (wanted?.has(id) ?? true) && zoneAt(around.entities, id, around.now) === work.zone);
    const changed = await this.#changed(row, batch, at, around, signal);
    if (changed.length > 0) {
      const followers = graph.followersOf(row.id).flatMap((id) => rows.find((one) => one.id === id) ?? []);
      await this.#store.transaction(async (tx) => {
        await this.#store.addChanges(tx, changesOf(row, work, changed));
        await this.#store.addWork(tx, followingWork(followers, changed, around));
      });
      signal?.throwIfAborted();
      const block = blocksOf(row, changed);
      await this.#telemetry.asSystem('calculations').insert(block, crypto.randomUUID());
    }
    await this.#store.transaction(async (tx) => {
      for (const one of batch) await this.#store.endWork(tx, one);
      await this.#store.note(tx, row.id, null);
    });
    return changed.length > 0;
  }

  async #changed(
    row: CalculationRow,
    batch: readonly WorkRow[],
    at: readonly string[],
    around: Surroundings,
    signal?: AbortSignal,
  ): Promise<Written[]> {
    const all: Written[] = [];
    const [{ zone = 'UTC' } = {}] = batch;
    const stretches = [...batch.map(({ fromAt }) => fromAt), ...batch.slice(-1).map(({ toAt }) => toAt)];
    const { edges } = evaluationOf(row, around, { at: [], zone, stretches });
    const size = Math.max(1, Math.floor(CELLS / edges.length));
    for (let first = 0; first < at.length; first += size) {
      const some = at.slice(first, first + size);
      const { evaluation, kpi } = evaluationOf(row, around, { at: some, zone, stretches }, signal);
      await evaluation.read();
      const fields = fieldsOf(kpi).map(({ name }) => name);
      const stored = await storedOf(around.reader, row, fields, some, edges, signal);
      for (const entity of some) {
        const answer = evaluation.answer(entity);
        const now = fields.map((field) => answer[field]?.series ?? []);
        const was = stored.get(entity) ?? [];
        for (const [i, start] of edges.slice(0, -1).entries()) {
          const isDue = start >= row.since && (edges[i + 1] as number) + SETTLE_MS <= around.now;
          const cells = { was: was.map((one) => one[i] ?? null), now: now.map((one) => one[i] ?? null) };
          if (isDue && cells.now.some((one, f) => !isSame(one, cells.was[f] ?? null)))
            all.push({ entity, at: start, ...cells });
        }
      }
    }
    return all;
  }
}

/** Stretches of one calculation that follow one another and have the same entities and causes, `BATCH` at most. */
export function batchesOf(work: readonly WorkRow[]): WorkRow[][] {
  const kindOf = ({ calculation, zone, entities, causes }: WorkRow) =>
    JSON.stringify([calculation, zone, entities?.toSorted() ?? null, causes.toSorted()]);
  const batches: WorkRow[][] = [];
  for (const some of Map.groupBy(work, kindOf).values()) {
    let batch: WorkRow[] = [];
    for (const one of some.toSorted((a, b) => a.fromAt - b.fromAt)) {
      const last = batch.at(-1);
      if (!last || last.toAt !== one.fromAt || batch.length >= BATCH) {
        batch = [];
        batches.push(batch);
      }
      batch.push(one);
    }
  }
  return batches;
}

/** What is stored, for each entity and field one number for each interval. */
export async function storedOf(
  reader: TelemetryReader,
  { id, writesTo }: Pick<CalculationRow, 'id' | 'writesTo'>,
  fields: readonly string[],
  entities: readonly string[],
  edges: readonly number[],
  signal?: AbortSignal,
): Promise<Map<string, (number | null)[][]>> {
  const found = new Map<string, (number | null)[][]>();
  for (const field of fields) {
    const values = await storedField(reader, { id, writesTo, field }, entities, edges, signal);
    entities.forEach((entity, i) => {
      found.set(entity, [...(found.get(entity) ?? []), values[i] ?? []]);
    });
  }
  return found;
}

async function storedField(
  reader: TelemetryReader,
  { id, writesTo, field }: { id: string; writesTo: string; field: string },
  entities: readonly string[],
  edges: readonly number[],
  signal?: AbortSignal,
): Promise<(number | null)[][]> {
  const query = {
    table: writesTo,
    dateField: 'event_time',
    streams: entities.map((source) => ({ device: id, source, field, factor: 1, offset: 0 })),
    edges,
    operator: 'last' as const,
    percent: 50,
    rollsOverAt: null,
    states: [],
    above: null,
    below: null,
    slice: null,
  };
  try {
    return (await reader.windows(query, signal)).map(({ values }) => values);
  } catch (error) {
    const isNew =
      error instanceof AppError && ['table.not_found', 'table.field_unknown'].includes(error.error);
    if (isNew) return [];
    throw error;
  }
}

const isSame = (a: number | null, b: number | null): boolean =>
  a === b || (a !== null && b !== null && Math.abs(a - b) <= SAME * Math.max(Math.abs(a), Math.abs(b)));

/** A number that is there for the first time is no change. */
const changesOf = (row: CalculationRow, { causes }: WorkRow, all: readonly Written[]): NewChange[] => {
  const names = fieldNames(row);
  const cause = causeOf(causes);
  return all.flatMap(({ entity, at, was, now }) =>
    names.flatMap((field, f) => {
      const [before, after] = [was[f] ?? null, now[f] ?? null];
      if (before === null || isSame(before, after)) return [];
      const place = { calculation: row.id, entity, field, at };
      return [{ ...place, was: before, now: after, cause, version: row.version }];
    }),
  );
};

const fieldNames = ({ values }: Pick<CalculationRow, 'values'>): string[] =>
  Object.keys(values).filter((name) => values[name]?.kind === 'formula');

/**
 * The stretches of other calculations that read what was written, and the ones beside them, to which the time between two
 * numbers counts. Of every entity, because a tree lies between.
 */
function followingWork(
  followers: readonly CalculationRow[],
  changed: readonly Written[],
  { entities, now }: Surroundings,
): NewWork[] {
  const days = [...new Set(changed.map(({ at }) => Math.floor(at / DAY_MS) * DAY_MS))];
  return followers.flatMap((row) => {
    const zones = new Set(
      targetsOf(row, [...entities.values()]).map(({ _id }) => zoneAt(entities, _id, now)),
    );
    return [...zones].flatMap((zone) =>
      days.flatMap((day) => {
        const range = { from: Math.max(row.since, day - DAY_MS), to: Math.min(now, day + 2 * DAY_MS) };
        return stretchesOver(row, { zone, ...range, entities: null, cause: 'chain' });
      }),
    );
  });
}

function blocksOf(row: CalculationRow, all: readonly Written[]): TelemetryBlock[] {
  const fields = fieldsOf(checkKpi(row)).map((one) => ({ ...one, type: 'decimal' as const }));
  return [...Map.groupBy(all, ({ entity }) => entity)].map(([entity, cells]) => ({
    workgroup: row.workgroup,
    device: row.id,
    stream: { table: row.writesTo, source: entity, fields },
    rows: cells.map(({ at, now }) => [CALCULATED, at, ...now]),
  }));
}
