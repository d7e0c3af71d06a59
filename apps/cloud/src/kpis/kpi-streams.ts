import type { EntityWorld } from '@albedo/contract/entities/entity-streams';
import type { EntityStream } from '@albedo/contract/entities/streams.schema';
import { unitOfRole } from '@albedo/contract/field-roles/field-roles';
import { KPI_LIMITS } from '@albedo/contract/kpis/kpi-limits';
import type { KpiAggregate, KpiInput, KpiQuestion, KpiWeight } from '@albedo/contract/kpis/kpis.schema';
import type { Span } from '@albedo/contract/time/presets';
import { resolved } from '../entities/entity-streams.service.ts';
import type { TelemetryReader, WindowsQuery, WindowValues } from '../telemetry/telemetry.service.ts';
import { NEEDS_ALL, overall } from './combine.ts';
import { type CheckedKpi, conversion, unitAfter } from './kpi-definition.ts';

/** Slices of a weighted average where it says none. */
const WEIGHING_MINUTES = 15;
/** Times that count are quarters of an hour. */
const DURING_MS = 15 * 60_000;
/** Entities whose slices are read at the same time. */
const SLICED_AT_ONCE = 8;

export interface KpiStreamsOptions {
  kpi: CheckedKpi;
  question: Span & Pick<KpiQuestion, 'interval'>;
  /** Where intervals begin, and last the end of the range. Without intervals the two ends. */
  edges: readonly number[];
  /** Some of the edges, between which everything is computed as if it were asked for alone. */
  stretches?: readonly number[] | undefined;
  zone: string;
  world: EntityWorld;
  reader: TelemetryReader;
  now: number;
  signal?: AbortSignal | undefined;
}

/** What one value is at one entity: over the whole range first, then in each interval, where there are any. */
export interface Cells {
  values: (number | null)[];
  /** Share that is known, from 0 to 1; null where nothing is measured. */
  coverage: (number | null)[];
  count: number;
}

/** What a stream gave to a value. */
export interface StreamCells extends Cells {
  stream: EntityStream;
  excluded: KpiInput['excluded'];
  /** Of a counter: readings that count nothing, and where it began anew. */
  excludedReadings: KpiInput['excludedReadings'];
  restarts: KpiInput['restarts'];
  keptFrom: number | null;
}

/** What the telemetry has for the aggregates of a KPI: each stream is read once for all entities that need it. */
export class KpiStreams {
  readonly #of: KpiStreamsOptions & { ranges: readonly Span[] };
  /** By value and entity. */
  readonly #cells = new Map<string, StreamCells[]>();
  readonly #late = new Map<string, { count: number; lastAt: number }>();

  /** `ranges` are those of the cells: the whole one, then the intervals. */
  constructor(options: KpiStreamsOptions, ranges: readonly Span[]) {
    this.#of = { ...options, ranges };
  }

  /** What the streams of a value gave at an entity. */
  at(name: string, entity: string): readonly StreamCells[] {
    return this.#cells.get(`${name}\n${entity}`) ?? [];
  }

  /** Where a number comes from. */
  inputOf(
    { stream, values, coverage, count, excluded, excludedReadings, restarts, keptFrom }: StreamCells,
    value: KpiAggregate,
  ): KpiInput {
    const { entity, deviceId, table, source, field, units } = stream;
    const late = this.#late.get(lateKey(table, deviceId, source));
    return {
      ...{ entity, deviceId, table, source, field, units, count },
      coverage: coverage[0] ?? 0,
      value: isSliced(value) ? null : (values[0] ?? null),
      excluded,
      excludedReadings: excludedReadings.slice(0, KPI_LIMITS.excludedReadings),
      restarts: restarts.slice(0, KPI_LIMITS.excludedReadings),
      lateCount: late?.count ?? 0,
      lastLateAt: late?.lastAt ?? null,
      keptFrom,
    };
  }

  /** What an average is weighted by at an entity, or what says which times count. */
  besideOf(entity: string, value: KpiAggregate): EntityStream[] {
    const { world } = this.#of;
    if (value.weightedBy) return resolved(world, entity, value.weightedBy);
    if (!value.during) return [];
    const entities = new Set(resolved(world, entity, value.streams).map((one) => one.entity));
    const all = [...entities].flatMap((one) => this.#conditionAt(one, value));
    return [...new Map(all.map((one) => [placeOf(one), one])).values()];
  }

  /** `besideOf` as it is told; only weights of the same table take part. */
  weightsOf(entity: string, value: KpiAggregate): KpiWeight[] {
    const { world } = this.#of;
    const tables = new Set(resolved(world, entity, value.streams).map(({ table }) => table));
    return this.besideOf(entity, value)
      .slice(0, KPI_LIMITS.streams)
      .map((one) => {
        const { entity: at, deviceId, table, source, field, units } = one;
        const isUsed = isDevice(one) && (value.during !== null || tables.has(table));
        return { entity: at, deviceId, table, source, field, units, isUsed };
      });
  }

  /** Reads what an aggregate needs at some entities. */
  async read(name: string, entities: readonly string[]): Promise<void> {
    const { kpi, world } = this.#of;
    const value = kpi.values[name] as KpiAggregate;
    const at = new Map(entities.map((id) => [id, resolved(world, id, value.streams)]));
    if (isSliced(value)) {
      // Each entity is a question of its own; hundreds of them at once would keep everybody else waiting.
      const left = [...at];
      const work = async () => {
        for (let next = left.shift(); next; next = left.shift()) {
          const [id, streams] = next;
          const weights = value.weightedBy ? resolved(world, id, value.weightedBy) : [];
          this.#cells.set(`${name}\n${id}`, await this.#cellsOf(name, value, streams, weights));
        }
      };
      await Promise.all(Array.from({ length: SLICED_AT_ONCE }, work));
      return;
    }
    const all = new Map([...at.values()].flat().map((stream) => [placeOf(stream), stream]));
    const cells = await this.#cellsOf(name, value, [...all.values()]);
    const byPlace = new Map(cells.map((one) => [placeOf(one.stream), one]));
    for (const [id, streams] of at)
      this.#cells.set(
        `${name}\n${id}`,
        streams.flatMap((stream) => byPlace.get(placeOf(stream)) ?? []),
      );
  }

  /** In the order of the streams; with slices one for each table, at its first stream, and nothing of the others. */
  async #cellsOf(
    name: string,
    value: KpiAggregate,
    streams: readonly EntityStream[],
    weights: readonly EntityStream[] = [],
  ): Promise<StreamCells[]> {
    const unit = this.#of.kpi.units.get(name) ?? '';
    const known = streams.map((stream) => ({ stream, factor: factorOf(value, stream, unit) }));
    const usable = known.filter(({ stream, factor }) => factor !== null && isDevice(stream));
    const found = new Map<string, StreamCells>();
    await Promise.all(
      this.#together(value, usable as Usable[]).map(async ({ streams: ofTable, during }) => {
        const table = ofTable[0]?.stream.table ?? '';
        const ofWeight = weights.filter((one) => one.table === table && isDevice(one));
        const { operator } = value;
        const answers = await (operator === 'weightedAverage'
          ? this.#weighted(value, table, ofTable, ofWeight)
          : this.#windows({ ...value, operator, during }, table, ofTable));
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
      const isPartOfSlice = isSliced(value) && factor !== null && isDevice(stream);
      return isPartOfSlice
        ? []
        : [{ ...nothingIn(this.#of.ranges, factor === null ? null : 0), stream, excluded, ...NOTHING }];
    });
  }

  /** Those that one question answers: of one table, and where only some times count, of the same condition. */
  #together(value: KpiAggregate, usable: readonly Usable[]): { streams: Usable[]; during: During }[] {
    const conditions = new Map<string, EntityStream[]>();
    const conditionOf = ({ entity }: EntityStream): EntityStream[] => {
      const known = conditions.get(entity) ?? this.#conditionAt(entity, value);
      conditions.set(entity, known);
      return known;
    };
    const groups = Map.groupBy(usable, ({ stream }) =>
      [
        ...[stream.table, value.operator === 'difference' && this.#isOfDays(stream)],
        ...(value.during ? conditionOf(stream).map(placeOf) : []),
      ].join('\n'),
    );
    const { above = 0 } = value.during ?? {};
    return [...groups.values()].map((streams) => {
      const [first] = streams;
      const deciding = value.during && first ? conditionOf(first.stream) : null;
      const during = deciding && { above, ms: DURING_MS, streams: deciding.map(windowStream) };
      return { streams, during: during ?? undefined };
    });
  }

  /** Whether a counter begins anew each day, by what its field means. */
  #isOfDays(stream: EntityStream): boolean {
    const ofDays = resolved(this.#of.world, stream.entity, { role: 'energyToday', over: 'self' });
    return ofDays.some((one) => placeOf(one) === placeOf(stream));
  }

  /** The streams that say which times of an entity's count: its own, or those of the next one above it that has any. */
  #conditionAt(entity: string, { during }: KpiAggregate): EntityStream[] {
    const { world } = this.#of;
    const seen = new Set<string>();
    for (let at: string | null = entity; during && at !== null && !seen.has(at); ) {
      const found = resolved(world, at, during.streams).filter(isDevice);
      if (found.length > 0) return found.slice(0, KPI_LIMITS.streams);
      seen.add(at);
      at = world.entity(at)?.parent ?? null;
    }
    return [];
  }

  /** What of the streams came late, for whoever wants to know where a number comes from. */
  async readLate(): Promise<void> {
    const { reader, question, signal } = this.#of;
    const streams = [...this.#cells.values()].flat().map(({ stream }) => stream);
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

  /** Sums of values times weights, divided by the sums of the weights. */
  async #weighted(
    value: KpiAggregate,
    table: string,
    streams: readonly Usable[],
    weights: readonly EntityStream[],
  ): Promise<Omit<StreamCells, 'stream'>[]> {
    if (weights.length === 0) return [];
    const { during: _, ...weighed } = value;
    const sliced = {
      ...weighed,
      operator: 'sum' as const,
      sliceMinutes: value.sliceMinutes ?? WEIGHING_MINUTES,
    };
    const [products, all] = await Promise.all(
      (['product', 'weight'] as const).map((weighted) =>
        this.#windows(sliced, table, streams, { streams: weights, weighted }),
      ),
    );
    return (products ?? []).map((product, i) => ({
      ...product,
      values: product.values.map((sum, k) => {
        const weight = all?.[i]?.values[k] ?? 0;
        return sum === null || weight === 0 ? null : sum / weight;
      }),
    }));
  }

  async #windows(
    value: Omit<KpiAggregate, 'operator' | 'during'> & {
      operator: WindowsQuery['operator'];
      during?: During;
    },
    table: string,
    streams: readonly Usable[],
    weights: { streams: readonly EntityStream[]; weighted: 'product' | 'weight' } | null = null,
  ): Promise<Omit<StreamCells, 'stream'>[]> {
    const { reader, edges, stretches, question, zone, signal } = this.#of;
    const hasSeries = question.interval !== undefined;
    const { dateField, operator, percent, rollsOverAt, states, above, below, sliceMinutes, aggregator } =
      value;
    const { during } = value;
    const isSliced = sliceMinutes !== null;
    const isShare = operator === 'count' || operator === 'timeInState';
    const query = {
      ...{ table, dateField, operator, percent, rollsOverAt, states, above, below, during },
      streams: [
        ...streams.map(({ stream: { deviceId, source, field, factor, offset }, factor: unit }) => ({
          device: deviceId,
          source,
          field,
          // With slices the streams are combined before the operator, so they have to be in one unit by then.
          factor: isSliced && !isShare ? factor * unit : factor,
          offset: isSliced && !isShare ? offset * unit : offset,
        })),
        ...(weights?.streams ?? []).map((one) => ({ ...windowStream(one), isWeight: true })),
      ],
      slice: isSliced
        ? {
            ms: sliceMinutes * 60_000,
            combine: aggregator,
            ...(weights ? { weighted: weights.weighted } : {}),
          }
        : null,
      ...(operator === 'difference' && !isSliced && streams.every(({ stream }) => this.#isOfDays(stream))
        ? { restartsIn: zone }
        : {}),
    };
    const [parts, whole] = await Promise.all([
      reader.windows({ ...query, edges, ...(stretches ? { stretches } : { days: zone }) }, signal),
      hasSeries && NEEDS_ALL.includes(operator)
        ? reader.windows({ ...query, edges: [question.from, question.to] }, signal)
        : null,
    ]);
    return parts.map((part, i) => {
      const unit = isSliced && !isShare ? 1 : (streams[i]?.factor ?? 1);
      const scaled = (one: number | null) => (one === null ? null : one * unit);
      const series = unit === 1 ? part.values : part.values.map(scaled);
      const total = whole ? (whole[i]?.values[0] ?? null) : overall(operator, part);
      const count = part.counts.reduce((sum, one) => sum + one, 0);
      return {
        values: hasSeries ? [scaled(total)].concat(series) : [scaled(total)],
        coverage: this.#coverageOf(part),
        count,
        excluded: count === 0 && total === null ? ('noData' as const) : null,
        excludedReadings: part.excluded ?? [],
        restarts: part.restarts ?? [],
        keptFrom: part.madeAt ?? null,
      };
    });
  }

  /** What is still to come cannot be known, and does not count. */
  #coverageOf({ coveredMs }: WindowValues): (number | null)[] {
    const { now } = this.#of;
    const all = coveredMs.reduce((sum, one) => sum + one, 0);
    return this.#of.ranges.map(({ from, to }, i) => {
      const past = Math.min(to, now) - from;
      const covered = i === 0 ? all : (coveredMs[i - 1] ?? 0);
      return past > 0 ? Math.min(1, covered / past) : null;
    });
  }
}

const NOTHING = { excludedReadings: [], restarts: [], keptFrom: null };

/** No value anywhere. */
export const nothingIn = (ranges: readonly unknown[], coverage: number | null): Cells => ({
  values: ranges.map(() => null),
  coverage: ranges.map(() => coverage),
  count: 0,
});

const isSliced = ({ sliceMinutes, operator }: KpiAggregate): boolean =>
  sliceMinutes !== null || operator === 'weightedAverage';

type During = WindowsQuery['during'];
type Usable = { stream: EntityStream; factor: number };

/** What makes a stream the same one. */
export const placeOf = ({ deviceId, table, source, field }: EntityStream): string =>
  [deviceId, table, source, field].join('\0');

const windowStream = ({ deviceId: device, table, source, field, factor, offset }: EntityStream) => ({
  ...{ device, table, source, field, factor, offset },
});

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
