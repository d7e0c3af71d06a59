import type { CalculationInterval } from '@albedo/contract/calculations/calculations.schema';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import type { EntityWorld } from '@albedo/contract/entities/entity-streams';
import type { KnownSource } from '@albedo/contract/entities/streams.schema';
import { type CheckedKpi, checkKpi, Evaluation, zoneOf } from '../kpis/kpis.service.ts';
import { calendarInterval, type TelemetryReader, windowEdges } from '../telemetry/telemetry.service.ts';
import type { CalculationRow, NewWork } from './calculations.store.ts';
import type { WorkCause } from './calculations.tables.ts';

/** An interval is computed this long after its end, ms: what devices send takes a while. */
export const SETTLE_MS = 60_000;
/** The zone of entities that say none. */
const ZONE = 'UTC';
/** Stretches of one change; more are of a range that nobody looks at. */
const STRETCHES = 40_000;
/** Of one stretch. */
const INTERVALS = 100_000;

const LONG: ReadonlySet<string> = new Set(['1w', '1M', '1y']);

/** What is computed at once: a day, or an interval that is longer. Always the whole of it, so that the order in which data comes changes nothing. */
export const stretchAt = (interval: CalculationInterval, zone: string, at: number) =>
  calendarInterval(at, LONG.has(interval) ? interval : '1d', zone) ?? { from: at, to: at + 1 };

/** The interval that an instant lies in. */
export const intervalAt = (interval: CalculationInterval, zone: string, at: number) =>
  calendarInterval(at, interval, zone) ?? { from: at, to: at + 1 };

/** Stretches from an instant to another one (epoch ms), each due at once. */
export function stretchesOver(
  { id, interval }: Pick<CalculationRow, 'id' | 'interval'>,
  of: { zone: string; from: number; to: number; entities: readonly string[] | null; cause: WorkCause },
): NewWork[] {
  const all: NewWork[] = [];
  for (let at = of.from; at < of.to && all.length < STRETCHES; ) {
    const { from, to } = stretchAt(interval, of.zone, at);
    all.push({
      calculation: id,
      zone: of.zone,
      fromAt: from,
      toAt: to,
      entities: of.entities,
      cause: of.cause,
      dueAt: 0,
    });
    at = to;
  }
  return all;
}

/** The entities that a calculation is about, as they are now. */
export function targetsOf({ target }: Pick<CalculationRow, 'target'>, entities: readonly Entity[]): Entity[] {
  switch (target.kind) {
    case 'entities': {
      const ids = new Set(target.entities);
      return entities.filter(({ _id }) => ids.has(_id));
    }
    case 'label':
      return entities.filter(({ labels }) => labels.includes(target.label));
    default:
      return entities.filter(({ machine }) => machine === target.machine);
  }
}

/** The fields that a calculation writes, with their units. */
export const fieldsOf = ({ values, units }: CheckedKpi): { name: string; units: string }[] =>
  Object.entries(values)
    .filter(([, { kind }]) => kind === 'formula')
    .map(([name]) => ({ name, units: units.get(name) ?? '' }));

/** What the world knows of a calculation about an entity, whether it has written anything yet or not. */
export const calculatedSource = (
  { id, writesTo }: Pick<CalculationRow, 'id' | 'writesTo'>,
  fields: readonly { name: string; units: string }[],
  entity: string,
): KnownSource => ({
  deviceId: id,
  table: writesTo,
  source: entity,
  kind: 'other',
  fields: fields.map(({ name, units }) => ({ name, units, role: null, factor: 1, offset: 0 })),
  entity,
});

/** Everything of a workgroup that calculations look at, at one instant. */
export interface Surroundings {
  world: EntityWorld;
  entities: ReadonlyMap<string, Entity>;
  reader: TelemetryReader;
  now: number;
}

export const zoneAt = (entities: ReadonlyMap<string, Entity>, entity: string, at: number): string =>
  zoneOf(entities, { entity, to: at, timezone: ZONE }).zone;

/** A calculation over stretches that follow one another (their beginnings, and the end of the last), at entities of one zone. */
export function evaluationOf(
  row: Pick<CalculationRow, 'values' | 'interval'>,
  { world, entities, reader, now }: Surroundings,
  of: { at: readonly string[]; zone: string; stretches: readonly number[] },
  signal?: AbortSignal,
): { evaluation: Evaluation; edges: number[]; kpi: CheckedKpi } {
  const kpi = checkKpi(row);
  const { at, zone, stretches } = of;
  const [from = 0, to = 0] = [stretches[0], stretches.at(-1)];
  const edges = stretches.slice(0, -1).flatMap((start, i) => {
    const within = { from: start, to: stretches[i + 1] as number };
    return (windowEdges(within, row.interval, zone, INTERVALS) ?? [start]).slice(0, -1);
  });
  edges.push(to);
  const question = { from, to, detail: false, interval: row.interval };
  const options = { kpi, question, edges, stretches, at, zone, world, entities, reader, now, signal };
  const evaluation = new Evaluation(options);
  return { evaluation, edges, kpi };
}
