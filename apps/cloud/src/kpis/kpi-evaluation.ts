import type { Entity } from '@albedo/contract/entities/entities.schema';
import type { EntityWorld } from '@albedo/contract/entities/entity-streams';
import type { EntityStream } from '@albedo/contract/entities/streams.schema';
import { unitOfRole } from '@albedo/contract/field-roles/field-roles';
import {
  KPI_LIMITS,
  type KpiAggregate,
  type KpiAnswer,
  type KpiFormula,
  type KpiInput,
  type KpiMetadata,
  type KpiQuestion,
  type KpiResult,
  PERIOD,
} from '@albedo/contract/kpis/kpis.schema';
import type { Span } from '@albedo/contract/time/presets';
import { evaluate } from '@albedo/expressions/evaluate';
import { resolved } from '../entities/entity-streams.service.ts';
import type { TelemetryReader, WindowValues } from '../telemetry/telemetry.service.ts';
import { combine, NEEDS_ALL, overall } from './combine.ts';
import { factOver } from './facts.ts';
import { type CheckedKpi, conversion, unitAfter } from './kpi-definition.ts';

const HOUR_MS = 3_600_000;

/** What one value is at one entity: over the whole range first, then in each interval, where there are any. */
interface Cells {
  values: (number | null)[];
  /** Share that is known, from 0 to 1; null where nothing is measured. */
  coverage: (number | null)[];
  count: number;
}

/** What a stream gave to a value. */
interface StreamCells extends Cells {
  stream: EntityStream;
  excluded: KpiInput['excluded'];
  keptFrom: number | null;
}

interface Fact {
  entity: string;
  value: number | null;
}

export interface EvaluationOptions {
  kpi: CheckedKpi;
  question: Span & Pick<KpiQuestion, 'interval' | 'detail'>;
  /** The entities at which it is evaluated. */
  at: readonly string[];
  /** Where intervals begin, and last the end of the range. Without intervals the two ends. */
  edges: readonly number[];
  /** Some of the edges, between which everything is computed as if it were asked for alone. */
  stretches?: readonly number[] | undefined;
  zone: string;
  world: EntityWorld;
  entities: ReadonlyMap<string, Entity>;
  reader: TelemetryReader;
  now: number;
  signal?: AbortSignal | undefined;
}

/**
 * One KPI at one entity over one range. Streams are read once for all entities that are needed; everything else is
 * arithmetic: first each value over everything below an entity, formulas last.
 */
export class Evaluation {
  readonly #of: EvaluationOptions;
  readonly #streams = new Map<string, StreamCells[]>();
  readonly #cells = new Map<string, Cells>();
  readonly #late = new Map<string, { count: number; lastAt: number }>();

  constructor(options: EvaluationOptions) {
    this.#of = options;
  }

  /** Reads what is needed at all of the entities; before any `answer`. */
  async read(): Promise<void> {
    const needed = new Map<string, Set<string>>();
    for (const [name, entity] of this.#of.at.flatMap((one) => this.#reached(one)))
      if (this.#of.kpi.values[name]?.kind === 'aggregate')
        needed.set(name, (needed.get(name) ?? new Set<string>()).add(entity));
    await Promise.all([...needed].map(([name, entities]) => this.#read(name, [...entities])));
    if (this.#of.question.detail) await this.#readLate();
  }

  answer(entity: string): KpiAnswer['values'] {
    const { values } = this.#of.kpi;
    return Object.fromEntries(Object.keys(values).map((name) => [name, this.#resultOf(name, entity)]));
  }

  /** What the values of an entity are made of: places of streams with their scale, and facts as they are written. */
  inputsAt(entity: string): { streams: EntityStream[]; facts: Record<string, unknown> } {
    const { kpi, world, entities } = this.#of;
    const streams = new Map<string, EntityStream>();
    const facts: Record<string, unknown> = {};
    for (const [name, at] of this.#reached(entity)) {
      const value = kpi.values[name];
      if (value?.kind === 'aggregate')
        for (const stream of resolved(world, at, value.streams)) streams.set(placeOf(stream), stream);
      if (value?.kind === 'metadata')
        for (const id of this.#sayingOf(value, at))
          facts[`${id}\n${value.key}`] = entities.get(id)?.meta[value.key];
    }
    return { streams: [...streams.values()], facts };
  }

  get #hasSeries(): boolean {
    return this.#of.question.interval !== undefined;
  }

  /** The ranges of the cells: the whole one, then the intervals. */
  #ranges(): { from: number; to: number }[] {
    const { edges, question } = this.#of;
    const whole = { from: question.from, to: question.to };
    if (!this.#hasSeries) return [whole];
    return [whole, ...edges.slice(0, -1).map((from, i) => ({ from, to: edges[i + 1] as number }))];
  }

  /** Every value that is needed at an entity, with the entity at which it is. */
  #reached(entity: string): [name: string, entity: string][] {
    const { kpi } = this.#of;
    const seen = new Set<string>();
    const reached: [string, string][] = [];
    const walk = (name: string, at: string): void => {
      const key = `${name}\n${at}`;
      if (seen.has(key)) return;
      seen.add(key);
      const value = kpi.values[name];
      if (value) reached.push([name, at]);
      if (value?.kind !== 'formula') return;
      for (const one of this.#eachOf(value, at))
        for (const used of kpi.expressions.get(name)?.names ?? []) walk(used, one);
    };
    for (const name of Object.keys(kpi.values)) walk(name, entity);
    return reached;
  }

  /** The topmost entities with the label of `each`, or where there is none, the entity. */
  #eachOf({ each }: KpiFormula, entity: string): string[] {
    if (each === null) return [entity];
    const labelled = this.#topmost(entity, (id) => this.#of.entities.get(id)?.labels.includes(each) ?? false);
    return labelled.length > 0 ? labelled : [entity];
  }

  #says(id: string, key: string): boolean {
    const meta = this.#of.entities.get(id)?.meta;
    return meta !== undefined && Object.hasOwn(meta, key);
  }

  /** The entity, or of each branch below it the first, of which something is so. */
  #topmost(entity: string, isSo: (id: string) => boolean): string[] {
    const found: string[] = [];
    const seen = new Set<string>();
    const walk = (id: string): void => {
      if (seen.has(id)) return;
      seen.add(id);
      if (isSo(id)) found.push(id);
      else for (const { _id } of this.#of.world.childrenOf(id)) walk(_id);
    };
    walk(entity);
    return found;
  }

  /** Reads what an aggregate needs at some entities. */
  async #read(name: string, entities: readonly string[]): Promise<void> {
    const { kpi, world } = this.#of;
    const value = kpi.values[name] as KpiAggregate;
    const at = new Map(entities.map((id) => [id, resolved(world, id, value.streams)]));
    if (value.sliceMinutes !== null) {
      await Promise.all(
        [...at].map(async ([id, streams]) =>
          this.#streams.set(`${name}\n${id}`, await this.#cellsOf(name, value, streams)),
        ),
      );
      return;
    }
    const all = new Map([...at.values()].flat().map((stream) => [placeOf(stream), stream]));
    const cells = await this.#cellsOf(name, value, [...all.values()]);
    const byPlace = new Map(cells.map((one) => [placeOf(one.stream), one]));
    for (const [id, streams] of at)
      this.#streams.set(
        `${name}\n${id}`,
        streams.flatMap((stream) => byPlace.get(placeOf(stream)) ?? []),
      );
  }

  /** In the order of the streams; with slices one for each table, at its first stream, and nothing of the others. */
  async #cellsOf(
    name: string,
    value: KpiAggregate,
    streams: readonly EntityStream[],
  ): Promise<StreamCells[]> {
    const unit = this.#of.kpi.units.get(name) ?? '';
    const known = streams.map((stream) => ({ stream, factor: factorOf(value, stream, unit) }));
    const usable = known.filter(({ stream, factor }) => factor !== null && isDevice(stream));
    const tables = Map.groupBy(usable, ({ stream }) => stream.table);
    const found = new Map<string, StreamCells>();
    await Promise.all(
      [...tables].map(async ([table, ofTable]) => {
        const answers = await this.#windows(value, table, ofTable as Usable[]);
        ofTable.forEach(({ stream }, i) => {
          const cells = answers[i];
          if (cells) found.set(placeOf(stream), { ...cells, stream });
        });
      }),
    );
    return known.flatMap(({ stream, factor }) => {
      const cells = found.get(placeOf(stream));
      if (cells) return [cells];
      const excluded = factor === null ? ('units' as const) : ('noData' as const);
      const isPartOfSlice = value.sliceMinutes !== null && factor !== null && isDevice(stream);
      return isPartOfSlice
        ? []
        : [{ ...this.#nothing(factor === null ? null : 0), stream, excluded, keptFrom: null }];
    });
  }

  /** What of the streams came late, for whoever wants to know where a number comes from. */
  async #readLate(): Promise<void> {
    const { reader, question, signal } = this.#of;
    const streams = [...this.#streams.values()].flat().map(({ stream }) => stream);
    const tables = Map.groupBy(streams.filter(isDevice), ({ table }) => table);
    await Promise.all(
      [...tables].map(async ([table, all]) => {
        const known = new Map(
          all.map(({ deviceId: device, source }) => [`${device}\n${source}`, { device, source }]),
        );
        const { from, to } = question;
        const late = await reader.late({ table, streams: [...known.values()], from, to }, signal);
        for (const one of late) this.#late.set(lateKey(table, one.device, one.source), one);
      }),
    );
  }

  #nothing(coverage: number | null): Cells {
    const ranges = this.#ranges();
    return { values: ranges.map(() => null), coverage: ranges.map(() => coverage), count: 0 };
  }

  async #windows(
    value: KpiAggregate,
    table: string,
    streams: readonly Usable[],
  ): Promise<Omit<StreamCells, 'stream'>[]> {
    const { reader, edges, stretches, question, zone, signal } = this.#of;
    const { dateField, operator, percent, rollsOverAt, states, above, below, sliceMinutes, aggregator } =
      value;
    const isSliced = sliceMinutes !== null;
    const isShare = operator === 'count' || operator === 'timeInState';
    const query = {
      ...{ table, dateField, operator, percent, rollsOverAt, states, above, below },
      streams: streams.map(({ stream: { deviceId, source, field, factor, offset }, factor: unit }) => ({
        device: deviceId,
        source,
        field,
        // With slices the streams are combined before the operator, so they have to be in one unit by then.
        factor: isSliced && !isShare ? factor * unit : factor,
        offset: isSliced && !isShare ? offset * unit : offset,
      })),
      slice: isSliced ? { ms: sliceMinutes * 60_000, combine: aggregator } : null,
    };
    const [parts, whole] = await Promise.all([
      reader.windows({ ...query, edges, ...(stretches ? { stretches } : { days: zone }) }, signal),
      this.#hasSeries && NEEDS_ALL.includes(operator)
        ? reader.windows({ ...query, edges: [question.from, question.to] }, signal)
        : null,
    ]);
    return parts.map((part, i) => {
      const unit = isSliced && !isShare ? 1 : (streams[i]?.factor ?? 1);
      const scaled = (one: number | null) => (one === null ? null : one * unit);
      const total = whole ? (whole[i]?.values[0] ?? null) : overall(operator, part);
      const count = part.counts.reduce((sum, one) => sum + one, 0);
      return {
        values: [scaled(total), ...(this.#hasSeries ? part.values.map(scaled) : [])],
        coverage: this.#coverageOf(part),
        count,
        excluded: count === 0 ? ('noData' as const) : null,
        keptFrom: part.madeAt ?? null,
      };
    });
  }

  /** What is still to come cannot be known, and does not count. */
  #coverageOf({ coveredMs }: WindowValues): (number | null)[] {
    const { now } = this.#of;
    const all = coveredMs.reduce((sum, one) => sum + one, 0);
    return this.#ranges().map(({ from, to }, i) => {
      const past = Math.min(to, now) - from;
      const covered = i === 0 ? all : (coveredMs[i - 1] ?? 0);
      return past > 0 ? Math.min(1, covered / past) : null;
    });
  }

  /** A value at an entity, computed once. */
  #at(name: string, entity: string): Cells {
    const key = `${name}\n${entity}`;
    const known = this.#cells.get(key);
    if (known) return known;
    const cells = this.#computed(name, entity);
    this.#cells.set(key, cells);
    return cells;
  }

  #computed(name: string, entity: string): Cells {
    const value = this.#of.kpi.values[name];
    switch (value?.kind) {
      case 'aggregate':
        return this.#aggregated(value, this.#streams.get(`${name}\n${entity}`) ?? []);
      case 'metadata':
        return this.#fact(name, value, entity);
      case 'formula':
        return this.#summed(this.#eachOf(value, entity).map((one) => this.#formula(name, one)));
      default:
        return this.#period();
    }
  }

  #period(): Cells {
    const values = this.#ranges().map(({ from, to }) => (to - from) / HOUR_MS);
    return { values, coverage: values.map(() => null), count: 0 };
  }

  #aggregated({ aggregator, sliceMinutes }: KpiAggregate, all: readonly StreamCells[]): Cells {
    // With a slice the streams are one already; counting them once more would always be 1.
    const how = sliceMinutes !== null && aggregator === 'count' ? 'sum' : aggregator;
    const cells = all.filter(({ excluded }) => excluded !== 'units');
    return {
      values: this.#ranges().map((_, i) =>
        combine(
          how,
          cells.map(({ values }) => values[i] ?? null),
        ),
      ),
      coverage: this.#ranges().map((_, i) =>
        combine(
          'average',
          cells.map(({ coverage }) => coverage[i] ?? null),
        ),
      ),
      count: cells.reduce((sum, one) => sum + one.count, 0),
    };
  }

  #fact(name: string, value: KpiMetadata, entity: string): Cells {
    const values = this.#ranges().map((range) => {
      const facts = this.#factsOf(name, value, entity, range);
      const found = combine(
        value.aggregator,
        facts.map((one) => one.value),
      );
      return found === null || facts.length === 0 ? value.fallback : found;
    });
    return { values, coverage: values.map(() => null), count: 0 };
  }

  #factsOf(name: string, fact: KpiMetadata, entity: string, range: { from: number; to: number }): Fact[] {
    const { entities, kpi, zone } = this.#of;
    const units = kpi.units.get(name) ?? '';
    return this.#sayingOf(fact, entity).flatMap((id) => {
      const one = entities.get(id);
      const value = one && factOver(one, fact.key, units, { ...range, zone });
      return value === undefined ? [] : [{ entity: id, value }];
    });
  }

  /** The entities whose fact counts at an entity. */
  #sayingOf({ key, lookup }: KpiMetadata, entity: string): string[] {
    return lookup === 'above'
      ? this.#nearestAbove(entity, key)
      : this.#topmost(entity, (id) => this.#says(id, key));
  }

  #nearestAbove(entity: string, key: string): string[] {
    const seen = new Set<string>();
    for (let at: string | null = entity; at !== null && !seen.has(at); ) {
      if (this.#says(at, key)) return [at];
      seen.add(at);
      at = this.#of.entities.get(at)?.parent ?? null;
    }
    return [];
  }

  #formula(name: string, entity: string): Cells {
    const expression = this.#of.kpi.expressions.get(name);
    if (!expression) return this.#nothing(null);
    const inputs = [...expression.names].map((used) => [used, this.#at(used, entity)] as const);
    return {
      values: this.#ranges().map((_, i) =>
        evaluate(expression, new Map(inputs.map(([used, { values }]) => [used, values[i] ?? null]))),
      ),
      coverage: this.#ranges().map((_, i) =>
        combine(
          'min',
          inputs.map(([, { coverage }]) => coverage[i] ?? null),
        ),
      ),
      count: inputs.reduce((sum, [, one]) => sum + one.count, 0),
    };
  }

  #summed(all: readonly Cells[]): Cells {
    return {
      values: this.#ranges().map((_, i) =>
        combine(
          'sum',
          all.map(({ values }) => values[i] ?? null),
        ),
      ),
      coverage: this.#ranges().map((_, i) =>
        combine(
          'average',
          all.map(({ coverage }) => coverage[i] ?? null),
        ),
      ),
      count: all.reduce((sum, one) => sum + one.count, 0),
    };
  }

  #resultOf(name: string, entity: string): KpiResult {
    const { kpi, question } = this.#of;
    const value = kpi.values[name] as NonNullable<(typeof kpi.values)[string]>;
    const { values, coverage, count } = this.#at(name, entity);
    const streams = this.#streams.get(`${name}\n${entity}`) ?? [];
    const [whole] = this.#ranges();
    return {
      displayName: value.displayName,
      isPrimary: kpi.primary === name,
      kind: value.kind,
      units: kpi.units.get(name) ?? '',
      value: values[0] ?? null,
      coverage: coverage[0] ?? null,
      ...(this.#hasSeries ? { series: values.slice(1), coverageSeries: coverage.slice(1) } : {}),
      count,
      ...(value.kind === 'formula' ? { formula: value.formula } : {}),
      uses: [...(kpi.expressions.get(name)?.names ?? [])].filter((used) => used !== PERIOD),
      streamCount: streams.length,
      ...(question.detail && value.kind === 'aggregate'
        ? { streams: streams.slice(0, KPI_LIMITS.streams).map((one) => this.#inputOf(one, value)) }
        : {}),
      ...(question.detail && value.kind === 'metadata' && whole
        ? {
            facts: this.#factsOf(name, value, entity, whole).map((fact) => ({
              ...fact,
              key: value.key,
              excluded: fact.value === null ? ('noNumber' as const) : null,
            })),
          }
        : {}),
    };
  }

  #inputOf(
    { stream, values, coverage, count, excluded, keptFrom }: StreamCells,
    value: KpiAggregate,
  ): KpiInput {
    const { entity, deviceId, table, source, field, units } = stream;
    const late = this.#late.get(lateKey(table, deviceId, source));
    return {
      ...{ entity, deviceId, table, source, field, units, count },
      coverage: coverage[0] ?? 0,
      value: value.sliceMinutes === null ? (values[0] ?? null) : null,
      excluded,
      lateCount: late?.count ?? 0,
      lastLateAt: late?.lastAt ?? null,
      keptFrom,
    };
  }
}

type Usable = { stream: EntityStream; factor: number };

const placeOf = ({ deviceId, table, source, field }: EntityStream): string =>
  [deviceId, table, source, field].join('\0');

const isDevice = ({ deviceId }: EntityStream): boolean =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(deviceId);

/** What the operator's result of the stream is multiplied by to be in the unit of the value; null where it cannot be. */
function factorOf(
  { streams, operator, units }: KpiAggregate,
  stream: EntityStream,
  unit: string,
): number | null {
  const own = 'role' in streams ? unitOfRole(streams.role) : stream.units;
  // Of a field that says no unit, the unit of the value is believed.
  if (units === '' || ((own === null || own === '') && !['count', 'timeInState'].includes(operator)))
    return 1;
  return conversion(unitAfter(operator, own ?? ''), unit);
}

const lateKey = (table: string, device: string, source: string): string =>
  [table, device.toLowerCase(), source].join('\0');
