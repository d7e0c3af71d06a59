import type { Entity } from '@albedo/contract/entities/entities.schema';
import type { EntityStream } from '@albedo/contract/entities/streams.schema';
import { KPI_LIMITS } from '@albedo/contract/kpis/kpi-limits';
import {
  type KpiAggregate,
  type KpiAggregator,
  type KpiAnswer,
  type KpiCell,
  type KpiFormula,
  type KpiMetadata,
  type KpiPeers,
  type KpiQuestion,
  type KpiResult,
  PERIOD,
} from '@albedo/contract/kpis/kpis.schema';
import type { Span } from '@albedo/contract/time/presets';
import { evaluate } from '@albedo/expressions/evaluate';
import { resolved } from '../entities/entity-streams.service.ts';
import { combine, combineLists } from './combine.ts';
import { factOver, factSince } from './facts.ts';
import {
  type Cells,
  KpiStreams,
  type KpiStreamsOptions,
  nothingIn,
  placeOf,
  type StreamCells,
} from './kpi-streams.ts';

const HOUR_MS = 3_600_000;

interface Fact {
  entity: string;
  value: number | null;
}

export interface EvaluationOptions extends KpiStreamsOptions {
  question: Span & Pick<KpiQuestion, 'interval' | 'detail'>;
  /** The entities at which it is evaluated. */
  at: readonly string[];
  entities: ReadonlyMap<string, Entity>;
}

/** Units of ratios. */
const RATIOS: ReadonlySet<string> = new Set(['', '%']);
/** With less light than this in a range there is no ratio: an hour at 100 W/m². */
const LEAST_LIGHT_KWH_M2 = 0.1;
const LIGHT_ROLES: ReadonlySet<string> = new Set(['irradiancePoa', 'irradianceGhi']);
const LIGHT_KWH_M2: ReadonlyMap<string, number> = new Map([
  ['kWh/m²', 1],
  ['Wh/m²', 1e-3],
]);

/**
 * One KPI at one entity over one range. Streams are read once for all entities that are needed; everything else is
 * arithmetic: first each value over everything below an entity, formulas last.
 */
export class Evaluation {
  readonly #of: EvaluationOptions;
  readonly #ranges: readonly Span[];
  readonly #streams: KpiStreams;
  readonly #cells = new Map<string, Cells>();
  readonly #lights = new Map<string, readonly (readonly [name: string, entity: string])[]>();

  constructor(options: EvaluationOptions) {
    this.#of = options;
    this.#ranges = rangesOf(options);
    this.#streams = new KpiStreams(options, this.#ranges);
  }

  /** Reads what is needed at all of the entities; before any `answer`. */
  async read(): Promise<void> {
    const needed = new Map<string, Set<string>>();
    for (const [name, entity] of this.#reached(this.#of.at))
      if (this.#of.kpi.values[name]?.kind === 'aggregate')
        needed.set(name, (needed.get(name) ?? new Set<string>()).add(entity));
    await Promise.all([...needed].map(([name, entities]) => this.#streams.read(name, [...entities])));
    if (this.#of.question.detail) await this.#streams.readLate();
  }

  answer(entity: string): KpiAnswer['values'] {
    const { values } = this.#of.kpi;
    return Object.fromEntries(Object.keys(values).map((name) => [name, this.#resultOf(name, entity)]));
  }

  /** The figures alone, without where they come from. */
  cells(entity: string): Record<string, KpiCell> {
    return Object.fromEntries(
      Object.keys(this.#of.kpi.values).map((name) => {
        const { values, coverage, count } = this.#at(name, entity);
        const cell = { value: values[0] ?? null, coverage: coverage[0] ?? null, count };
        return [name, this.#isTooDark(name, entity, 0) ? { ...cell, isTooDark: true } : cell];
      }),
    );
  }

  /** What the values of an entity are made of: places of streams with their scale, and facts as they are written. */
  inputsAt(entity: string): { streams: EntityStream[]; facts: Record<string, unknown> } {
    const { kpi, world, entities } = this.#of;
    const streams = new Map<string, EntityStream>();
    const facts: Record<string, unknown> = {};
    for (const [name, at] of this.#reached([entity])) {
      const value = kpi.values[name];
      if (value?.kind === 'aggregate')
        for (const stream of [...resolved(world, at, value.streams), ...this.#streams.besideOf(at, value)])
          streams.set(placeOf(stream), stream);
      if (value?.kind === 'metadata')
        for (const id of this.#sayingOf(value, at))
          facts[`${id}\n${value.key}`] = entities.get(id)?.meta[value.key];
    }
    return { streams: [...streams.values()], facts };
  }

  get #hasSeries(): boolean {
    return this.#of.question.interval !== undefined;
  }

  /** Every value that is needed at some entities, with the entity at which it is. */
  #reached(
    entities: readonly string[],
    names: readonly string[] = Object.keys(this.#of.kpi.values),
  ): [name: string, entity: string][] {
    const { kpi } = this.#of;
    const seen = new Set<string>();
    const reached: [string, string][] = [];
    const walk = (name: string, at: string): void => {
      const key = `${name}\n${at}`;
      if (seen.has(key)) return;
      seen.add(key);
      const value = kpi.values[name];
      if (value) reached.push([name, at]);
      if (value?.kind === 'peers') for (const one of this.#peersOf(value, at)) walk(value.of, one);
      if (value?.kind !== 'formula') return;
      for (const one of this.#eachOf(value, at))
        for (const used of kpi.expressions.get(name)?.names ?? []) walk(used, one);
    };
    for (const entity of entities) for (const name of names) walk(name, entity);
    return reached;
  }

  /** What of a table and field nothing has that the caller sees; a wrong name looks like no data otherwise. */
  #missing(wanted: KpiAggregate['streams']): KpiResult['missing'] | null {
    if (!('field' in wanted)) return null;
    const part = this.#of.world.lacks(wanted);
    return part && { part, name: wanted[part] };
  }

  #peersOf({ label }: KpiPeers, entity: string): string[] {
    const { entities, world } = this.#of;
    const all =
      label === null
        ? world.childrenOf(entities.get(entity)?.parent ?? '').map(({ _id }) => _id)
        : [...entities.values()].filter(({ labels }) => labels.includes(label)).map(({ _id }) => _id);
    return all.filter((id) => id !== entity);
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
        return this.#aggregated(value, this.#streams.at(name, entity));
      case 'metadata':
        return this.#fact(name, value, entity);
      case 'formula':
        return this.#combined(
          'sum',
          this.#eachOf(value, entity).map((one) => this.#formula(name, one)),
        );
      case 'peers':
        return this.#combined(
          value.aggregator,
          this.#peersOf(value, entity).map((one) => this.#at(value.of, one)),
        );
      default:
        return this.#period();
    }
  }

  #period(): Cells {
    const values = this.#ranges.map(({ from, to }) => (to - from) / HOUR_MS);
    return { values, coverage: values.map(() => null), count: 0 };
  }

  #aggregated({ aggregator, sliceMinutes }: KpiAggregate, all: readonly StreamCells[]): Cells {
    // With a slice the streams are one already; counting them once more would always be 1.
    const how = sliceMinutes !== null && aggregator === 'count' ? 'sum' : aggregator;
    const cells = all.filter(({ excluded }) => excluded !== 'units');
    return {
      values: combineLists(
        how,
        this.#ranges.length,
        cells.map(({ values }) => values),
      ),
      coverage: combineLists(
        'average',
        this.#ranges.length,
        cells.map(({ coverage }) => coverage),
      ),
      count: cells.reduce((sum, one) => sum + one.count, 0),
    };
  }

  #fact(name: string, value: KpiMetadata, entity: string): Cells {
    const values = this.#ranges.map((range) => {
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

  #sinceOf(entity: string, key: string, range: { to: number }): string | null {
    const { entities, zone } = this.#of;
    const one = entities.get(entity);
    return one ? factSince(one, key, { ...range, zone }) : null;
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
    if (!expression) return nothingIn(this.#ranges, null);
    const inputs = [...expression.names].map((used) => [used, this.#at(used, entity)] as const);
    return {
      values: this.#ranges.map((_, i) =>
        this.#isTooDark(name, entity, i)
          ? null
          : evaluate(expression, new Map(inputs.map(([used, { values }]) => [used, values[i] ?? null]))),
      ),
      coverage: this.#ranges.map((_, i) =>
        combine(
          'min',
          inputs.map(([, { coverage }]) => coverage[i] ?? null),
        ),
      ),
      count: inputs.reduce((sum, [, one]) => sum + one.count, 0),
    };
  }

  /**
   * Whether a value is a ratio to the light of a range with too little light. At dawn, or from the noise of a sensor at night,
   * it could be any number. Of several places the brightest counts.
   */
  #isTooDark(name: string, entity: string, range: number): boolean {
    const { kpi } = this.#of;
    if (kpi.values[name]?.kind !== 'formula' || !RATIOS.has(kpi.units.get(name) ?? '')) return false;
    const lights = this.#lightsOf(name, entity).flatMap(([light, at]) => {
      const value = this.#at(light, at).values[range] ?? null;
      return value === null ? [] : [value * (LIGHT_KWH_M2.get(kpi.units.get(light) ?? '') ?? 1)];
    });
    return lights.length > 0 && Math.max(...lights) < LEAST_LIGHT_KWH_M2;
  }

  /** The sums of light that a value is made of, with their places. */
  #lightsOf(name: string, entity: string): readonly (readonly [name: string, entity: string])[] {
    const key = `${name}\n${entity}`;
    const { kpi } = this.#of;
    const lights =
      this.#lights.get(key) ??
      this.#reached([entity], [name]).filter(([used]) => {
        const value = kpi.values[used];
        return (
          value?.kind === 'aggregate' &&
          value.operator === 'integral' &&
          'role' in value.streams &&
          LIGHT_ROLES.has(value.streams.role) &&
          LIGHT_KWH_M2.has(kpi.units.get(used) ?? '')
        );
      });
    this.#lights.set(key, lights);
    return lights;
  }

  #combined(aggregator: KpiAggregator, all: readonly Cells[]): Cells {
    return {
      values: combineLists(
        aggregator,
        this.#ranges.length,
        all.map(({ values }) => values),
      ),
      coverage: combineLists(
        'average',
        this.#ranges.length,
        all.map(({ coverage }) => coverage),
      ),
      count: all.reduce((sum, one) => sum + one.count, 0),
    };
  }

  #resultOf(name: string, entity: string): KpiResult {
    const { kpi, question } = this.#of;
    const value = kpi.values[name] as NonNullable<(typeof kpi.values)[string]>;
    const { values, coverage, count } = this.#at(name, entity);
    const streams = this.#streams.at(name, entity);
    const [whole] = this.#ranges;
    const missing = value.kind === 'aggregate' && streams.length === 0 ? this.#missing(value.streams) : null;
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
      uses:
        value.kind === 'peers'
          ? [value.of]
          : [...(kpi.expressions.get(name)?.names ?? [])].filter((used) => used !== PERIOD),
      ...(question.detail && value.kind === 'peers'
        ? {
            peers: this.#peersOf(value, entity)
              .slice(0, KPI_LIMITS.streams)
              .map((one) => ({ entity: one, value: this.#at(value.of, one).values[0] ?? null })),
          }
        : {}),
      streamCount: streams.length,
      ...(missing ? { missing } : {}),
      ...(this.#isTooDark(name, entity, 0) ? { isTooDark: true } : {}),
      ...(question.detail && value.kind === 'aggregate'
        ? { streams: streams.slice(0, KPI_LIMITS.streams).map((one) => this.#streams.inputOf(one, value)) }
        : {}),
      ...(question.detail && value.kind === 'aggregate' && (value.weightedBy || value.during)
        ? { weights: this.#streams.weightsOf(entity, value) }
        : {}),
      ...(question.detail && value.kind === 'metadata' && whole
        ? {
            facts: this.#factsOf(name, value, entity, whole).map((fact) => ({
              ...fact,
              key: value.key,
              since: this.#sinceOf(fact.entity, value.key, whole),
              excluded: fact.value === null ? ('noNumber' as const) : null,
            })),
          }
        : {}),
    };
  }
}

/** The whole range, then the intervals. */
function rangesOf({ edges, question }: EvaluationOptions): Span[] {
  const whole = { from: question.from, to: question.to };
  if (question.interval === undefined) return [whole];
  return [whole, ...edges.slice(0, -1).map((from, i) => ({ from, to: edges[i + 1] as number }))];
}
