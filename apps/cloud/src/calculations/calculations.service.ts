import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  CALCULATION_LIMITS,
  type Calculation,
  type CalculationChange,
  type CalculationExplanation,
  type CalculationValues,
  type ChangedCalculation,
  type calculationPreview,
  type explainQuestion,
  type NewCalculation,
  type valuesQuestion,
} from '@albedo/contract/calculations/calculations.schema';
import type { EntityUse } from '@albedo/contract/entities/entities.schema';
import type { KnownSource } from '@albedo/contract/entities/streams.schema';
import type { KpiAnswer } from '@albedo/contract/kpis/kpis.schema';
import type { LongAction } from '@albedo/contract/long-actions/long-actions.schema';
import { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import type { Caller } from '../access/caller.ts';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import type { Entities } from '../entities/entities.service.ts';
import type { EntityStreams } from '../entities/entity-streams.service.ts';
import { AppError } from '../errors/app-error.ts';
import { demandNewest, type History, type Save } from '../history/history.service.ts';
import { checkKpi, type Kpis } from '../kpis/kpis.service.ts';
import type { LongActionKind, LongActions } from '../long-actions/long-actions.service.ts';
import type { Machines } from '../machines/machines.service.ts';
import type { TellList } from '../sockets/lists.ts';
import { type Telemetry, windowEdges } from '../telemetry/telemetry.service.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { demandCalculation } from './calculation-checks.ts';
import {
  calculatedSource,
  fieldsOf,
  intervalAt,
  stretchAt,
  stretchesOver,
  targetsOf,
  zoneAt,
} from './calculation-plan.ts';
import { CalculationRuns } from './calculation-runs.ts';
import { storedOf } from './calculation-work.ts';
import type { CalculationRow, CalculationsStore } from './calculations.store.ts';

export interface CalculationsOptions {
  store: CalculationsStore;
  entities: Entities;
  entityStreams: EntityStreams;
  machines: Pick<Machines, 'ids'>;
  kpis: Kpis;
  telemetry: Telemetry;
  workgroups: Pick<Workgroups, 'hasAddon'>;
  longActions: LongActions;
  audit: Audit;
  tell: TellList;
  history: Pick<History, 'keep' | 'saving'>;
  /** Has the watch look at once. */
  wake: () => Promise<void>;
  /** Has what is due of a workgroup computed. */
  work: (workgroup: string) => Promise<void>;
}

type Backfill = LongActionKind<{ workgroup: string; calculation: string; from: number; to: number }>;

/** Between two looks at how far a back-fill is, ms. */
const LOOK_MS = 500;

/** Formulas over streams and facts whose results are written as records of a table, and stay right when these change. */
export class Calculations {
  readonly #options: CalculationsOptions;
  /** Finds what is to be computed, and computes it. */
  readonly runs: CalculationRuns;

  constructor(options: CalculationsOptions) {
    this.#options = options;
    this.runs = new CalculationRuns(options);
  }

  async list(workgroup: string): Promise<Calculation[]> {
    const { store } = this.#options;
    const [rows, waiting] = await Promise.all([store.list(workgroup), store.waiting(workgroup, Date.now())]);
    return rows.map((row) => calculationOf(row, waiting.get(row.id) ?? 0));
  }

  /**
   * Computed from `since` on, epoch ms. Throws `calculation.too_many`, `calculation.name_taken`, and `request.invalid` with
   * the part at fault.
   */
  async create(
    workgroup: string,
    wanted: NewCalculation,
    by: Actor | null,
    since = Date.now(),
    id?: string,
  ): Promise<Calculation> {
    const { store } = this.#options;
    const rows = await store.list(workgroup);
    await demandCalculation(this.#options, workgroup, rows, {
      id: id ?? '',
      ...wanted,
      writesTo: wanted.table,
    });
    const { calculations: count } = CALCULATION_LIMITS;
    if (rows.length >= count) throw new AppError('calculation.too_many', { count });
    const row = await store.add(workgroup, wanted, since, id);
    if (!row) throw new AppError('calculation.name_taken', { name: wanted.name });
    await this.#keep(by, saveOf(row));
    await this.#changed(row, by, { action: 'create', newValue: textOf(row) });
    return calculationOf(row, 0);
  }

  /**
   * Throws `calculation.not_found`, `calculation.name_taken`, `history.not_newest`, and `request.invalid` with the part at
   * fault.
   */
  update(workgroup: string, id: string, wanted: ChangedCalculation, by: Actor): Promise<Calculation> {
    const thing = { workgroup, kind: 'calculation', id } as const;
    return this.#options.history.saving(thing, () => this.#save(workgroup, id, wanted, by));
  }

  async #save(
    workgroup: string,
    id: string,
    { version, ...wanted }: ChangedCalculation,
    by: Actor,
  ): Promise<Calculation> {
    const { store } = this.#options;
    const rows = await store.list(workgroup);
    const before = rows.find((one) => one.id === id);
    if (!before) throw new AppError('calculation.not_found');
    // The client repeats a save whose answer it never got.
    if (isDeepStrictEqual(contentOf({ ...before, table: before.writesTo }), contentOf(wanted))) {
      const waiting = await store.waiting(workgroup, Date.now());
      return calculationOf(before, waiting.get(id) ?? 0);
    }
    demandNewest(version, before.version);
    await demandCalculation(this.#options, workgroup, rows, { ...wanted, id, writesTo: wanted.table });
    const after = await store.set(workgroup, id, wanted);
    if (after === undefined) throw new AppError('calculation.not_found');
    if (after === null) throw new AppError('calculation.name_taken', { name: wanted.name });
    const change = { oldValue: textOf(before), newValue: textOf(after) };
    await this.#keep(by, { ...saveOf(after), before: saveOf(before) });
    await this.#changed(after, by, { action: 'update', ...change });
    return calculationOf(after, 0);
  }

  /** Throws `calculation.not_found`. */
  async remove(workgroup: string, id: string, by: Actor): Promise<void> {
    const row = await this.#row(workgroup, id);
    if (!(await this.#options.store.remove(workgroup, id))) throw new AppError('calculation.not_found');
    await this.#keep(by, { ...saveOf(row), content: null, before: saveOf(row) });
    await this.#changed(row, by, { action: 'delete', oldValue: textOf(row) });
  }

  /** What a definition would have written. Throws what `Kpis.evaluate` throws, and as `create` does. */
  async preview(
    caller: Caller,
    { calculation, question }: z.output<typeof calculationPreview>,
    signal?: AbortSignal,
  ): Promise<KpiAnswer> {
    checkKpi(calculation);
    const { interval } = calculation;
    const zone = zoneAt(await this.#options.entities.facts(caller), question.entity, question.to);
    const from = stretchAt(interval, zone, question.from).from;
    const asked = { ...question, from, interval, timezone: 'UTC', detail: true };
    return this.#options.kpis.evaluate(caller, calculation, asked, signal);
  }

  /** Throws `calculation.not_found`, `calculation.off`. */
  async backfill(
    workgroup: string,
    id: string,
    range: { from: number; to: number },
    by: Actor,
  ): Promise<LongAction> {
    const row = await this.#row(workgroup, id);
    if (!row.isActive) throw new AppError('calculation.off', { name: row.name });
    const input = { workgroup, calculation: id, from: range.from, to: Math.min(range.to, Date.now()) };
    const { longActions } = this.#options;
    this.#record(row, by, { action: 'backfill', newValue: JSON.stringify(range) });
    return longActions.begin(this.backfilling, { input, about: row.name, workgroup, by });
  }

  readonly backfilling: Backfill = {
    kind: 'calculation-backfill',
    input: z.object({
      workgroup: z.string(),
      calculation: z.uuid(),
      from: z.number(),
      to: z.number(),
    }),
    canCancel: true,
    run: async ({ input, signal, progress }) => {
      const { store, work } = this.#options;
      const { workgroup, calculation, from, to } = input;
      const row = await store.find(workgroup, calculation);
      if (!row) return {};
      const due = await this.#stretches(row, from, to);
      const since = due.reduce((least, { fromAt }) => Math.min(least, fromAt), row.since);
      await store.transaction(async (tx) => {
        await store.beginEarlier(tx, row.id, since);
        await store.addWork(tx, due);
      });
      try {
        for (let left = due.length; left > 0; left = await store.countWork(row.id, from, to)) {
          progress(Math.max(0, 1 - left / due.length));
          await work(workgroup);
          await wait(LOOK_MS, undefined, { signal });
        }
      } catch (error) {
        // Where the process only stops, the run begins again and adds them again.
        if (signal.aborted) await store.forgetBackfill(row.id, from, to);
        throw error;
      }
      return { result: { stretches: due.length } };
    },
  };

  async #stretches(row: CalculationRow, from: number, to: number) {
    const { entities } = this.#options;
    const byId = await entities.allFacts(row.workgroup);
    const zones = new Set(targetsOf(row, [...byId.values()]).map(({ _id }) => zoneAt(byId, _id, to)));
    return [...zones].flatMap((zone) =>
      stretchesOver(row, { zone, from, to, entities: null, cause: 'backfill' }),
    );
  }

  /** Throws `calculation.not_found`. */
  async changes(workgroup: string, id: string): Promise<CalculationChange[]> {
    return this.#options.store.changes((await this.#row(workgroup, id)).id);
  }

  /** What was written. Throws `calculation.not_found`, `entity.not_found`, `kpi.too_much`. */
  async values(
    caller: Caller,
    id: string,
    { entity, from, to }: z.output<typeof valuesQuestion>,
    signal?: AbortSignal,
  ): Promise<CalculationValues> {
    const row = await this.#row(caller.workgroup, id);
    const entities = await this.#options.entities.facts(caller);
    if (!entities.has(entity)) throw new AppError('entity.not_found');
    const zone = zoneAt(entities, entity, to);
    const { intervals } = CALCULATION_LIMITS;
    const begin = intervalAt(row.interval, zone, from).from;
    const starts = windowEdges({ from: begin, to }, row.interval, zone, intervals);
    if (!starts) throw new AppError('kpi.too_much', { max: String(intervals) });
    const fields = fieldsOf(checkKpi(row));
    const names = fields.map(({ name }) => name);
    const reader = this.#options.telemetry.for(caller);
    const stored = (await storedOf(reader, row, names, [entity], starts, signal)).get(entity) ?? [];
    const blank = starts.slice(1).map(() => null);
    return {
      zone,
      starts,
      fields: Object.fromEntries(
        fields.map(({ name, units }, i) => {
          const values = stored[i] ?? [];
          return [name, { units, values: values.length > 0 ? values : blank }];
        }),
      ),
    };
  }

  /** Throws `calculation.not_found`, `entity.not_found`, and what `Kpis.evaluate` throws. */
  async explain(
    caller: Caller,
    id: string,
    { entity, at }: z.output<typeof explainQuestion>,
    signal?: AbortSignal,
  ): Promise<CalculationExplanation> {
    const { kpis, store, telemetry } = this.#options;
    const row = await this.#row(caller.workgroup, id);
    const zone = zoneAt(await this.#options.entities.facts(caller), entity, Date.now());
    const range = intervalAt(row.interval, zone, at);
    const fields = fieldsOf(checkKpi(row)).map(({ name }) => name);
    const edges = [range.from, range.to];
    const [answer, stored, changes] = await Promise.all([
      kpis.evaluate(caller, row, { entity, ...range, timezone: 'UTC', detail: true }, signal),
      storedOf(telemetry.for(caller), row, fields, [entity], edges, signal),
      store.changes(row.id, { entity, ...range }),
    ]);
    const values = stored.get(entity) ?? [];
    return {
      answer,
      stored: Object.fromEntries(fields.map((field, i) => [field, values[i]?.[0] ?? null])),
      changes,
    };
  }

  /** Calculations that name one of the entities. */
  async usesOf(workgroup: string, ids: ReadonlySet<string>): Promise<EntityUse[]> {
    const rows = await this.#options.store.list(workgroup);
    return rows
      .filter(({ target }) => target.kind === 'entities' && target.entities.some((id) => ids.has(id)))
      .map(({ id, name }) => ({ kind: 'calculation', id, name }));
  }

  /** Has the watch look at once, where there is anything to look for. */
  async wake(): Promise<void> {
    if ((await this.#options.store.workgroups()).length > 0) await this.#options.wake();
  }

  /** What is written of each entity, for whoever looks for streams. */
  async calculated(workgroup: string): Promise<KnownSource[]> {
    const { store, entities } = this.#options;
    const rows = await store.list(workgroup);
    if (rows.length === 0) return [];
    const all = await entities.all(workgroup);
    return rows.flatMap((row) => {
      const fields = fieldsOf(checkKpi(row));
      return targetsOf(row, all).map(({ _id }) => calculatedSource(row, fields, _id));
    });
  }

  async find(workgroup: string, id: string): Promise<CalculationRow | undefined> {
    return this.#options.store.find(workgroup, id);
  }

  #keep(by: Actor | null, save: Save & { workgroup: string }): Promise<void> {
    return this.#options.history.keep({ workgroup: save.workgroup, kind: 'calculation', by }, [save]);
  }

  async #row(workgroup: string, id: string): Promise<CalculationRow> {
    const row = await this.#options.store.find(workgroup, id);
    if (!row) throw new AppError('calculation.not_found');
    return row;
  }

  async #changed(
    row: CalculationRow,
    by: Actor | null,
    what: Pick<AuditEntry, 'action' | 'oldValue' | 'newValue'>,
  ): Promise<void> {
    this.#record(row, by, what);
    this.#options.tell('calculations', row.workgroup);
    await this.#options.wake();
  }

  #record(
    { workgroup, name, id }: CalculationRow,
    by: Actor | null,
    what: Pick<AuditEntry, 'action' | 'oldValue' | 'newValue'>,
  ): void {
    const entry = { workgroup, at: Date.now(), controller: 'calculation', entity: `${name} (${id})` };
    const who = by ? { by: by.email, address: by.address } : {};
    this.#options.audit.record({ ...entry, attribute: 'record', ...who, ...what });
  }
}

const calculationOf = (
  { id, workgroup: _workgroup, writesTo, updatedAt, computedAt, ...row }: CalculationRow,
  waiting: number,
): Calculation => ({
  _id: id,
  ...row,
  table: writesTo,
  updatedAt: updatedAt.getTime(),
  computedAt: computedAt?.getTime() ?? null,
  waiting,
});

/** What a version keeps; values are a list, so that they keep their order. */
export const contentOf = ({
  name,
  description,
  isActive,
  table,
  interval,
  target,
  values,
}: NewCalculation) => ({
  ...{ name, description, isActive, table, interval, target },
  values: Object.entries(values),
});

const saveOf = (row: CalculationRow) => ({
  ...{ workgroup: row.workgroup, id: row.id, name: row.name, version: row.version },
  content: contentOf({ ...row, table: row.writesTo }),
});

const textOf = ({
  name,
  description,
  isActive,
  writesTo,
  interval,
  target,
  values,
}: CalculationRow): string =>
  JSON.stringify({ name, description, isActive, table: writesTo, interval, target, values });
