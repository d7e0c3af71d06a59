import type { FieldRole, SourceKind } from '../field-roles/field-roles.ts';
import { scaleOfRole } from '../field-roles/source-roles.ts';
import type { Machine } from '../machines/machines.schema.ts';
import type { Entity, Signals } from './entities.schema.ts';
import type { DescendantStrategy, EntityStream, KnownSource, StreamSelector } from './streams.schema.ts';

/** What is looked at of an entity. */
export type EntityNode = Pick<Entity, '_id' | 'name' | 'parent' | 'labels' | 'machine' | 'signals'>;

/** Thrown for an `over` that is none of `DESCENDANT_STRATEGIES`. */
export class UnknownStrategy extends Error {
  override readonly name = 'UnknownStrategy';
  readonly strategy: string;

  constructor(strategy: string) {
    super(`Unknown descendant strategy: ${strategy}`);
    this.strategy = strategy;
  }
}

/** Entities, sources and machines by what they are looked up by. Made once for a list, used for many questions. */
export class EntityWorld {
  readonly #byId: ReadonlyMap<string, EntityNode>;
  readonly #children = new Map<string | null, EntityNode[]>();
  readonly #sources = new Map<string, KnownSource[]>();
  readonly #calculated = new Map<string, KnownSource[]>();
  readonly #machines: ReadonlyMap<string, Machine>;

  constructor(of: {
    entities: readonly EntityNode[];
    sources: readonly KnownSource[];
    machines?: readonly Machine[];
  }) {
    this.#byId = new Map(of.entities.map((one) => [one._id, one]));
    this.#machines = new Map((of.machines ?? []).map((one) => [one._id, one]));
    for (const one of of.entities) push(this.#children, one.parent, one);
    for (const one of of.sources) {
      push(this.#sources, one.deviceId, one);
      if (one.entity !== undefined) push(this.#calculated, one.entity, one);
    }
  }

  entity(id: string): EntityNode | undefined {
    return this.#byId.get(id);
  }

  childrenOf(id: string): readonly EntityNode[] {
    return this.#children.get(id) ?? [];
  }

  sourcesOf(deviceId: string): readonly KnownSource[] {
    return this.#sources.get(deviceId) ?? [];
  }

  /** What kind of thing sends a stream. */
  kindOf({ deviceId, table, source }: Pick<KnownSource, 'deviceId' | 'table' | 'source'>): SourceKind {
    const known = this.sourcesOf(deviceId).find((one) => one.table === table && one.source === source);
    return known?.kind ?? 'other';
  }

  /** The ids of the labels of a source. */
  labelsOf({ deviceId, source }: Pick<KnownSource, 'deviceId' | 'source'>): readonly string[] {
    return this.sourcesOf(deviceId).find((one) => one.source === source)?.labels ?? [];
  }

  /** Whether nothing has a table at all, or only not the field. */
  lacks({ table, field }: { table: string; field: string }): 'table' | 'field' | null {
    const ofTable = [...this.#sources.values()].flat().filter((one) => one.table === table);
    if (ofTable.length === 0) return 'table';
    return ofTable.some(({ fields }) => fields.some(({ name }) => name === field)) ? null : 'field';
  }

  /** What calculations write of an entity. */
  calculatedOf(entityId: string): readonly KnownSource[] {
    return this.#calculated.get(entityId) ?? [];
  }

  machineOf({ machine }: EntityNode): Machine | undefined {
    return machine === null ? undefined : this.#machines.get(machine);
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const kept = map.get(key);
  if (kept) kept.push(value);
  else map.set(key, [value]);
}

/**
 * The streams that an entity has for a table and field, or for a role, over itself or what is below it; each one once, in
 * the order of the tree. Throws `UnknownStrategy`.
 *
 * A role is looked for in the machine of each entity first, then in what the fields of its sources mean.
 */
export function streamsOf(world: EntityWorld, entityId: string, wanted: StreamSelector): EntityStream[] {
  const start = world.entity(entityId);
  const among = entitiesOver(world, start, wanted);
  const { sourceLabel } = wanted;
  const found = new Map<string, EntityStream>();
  for (const one of among)
    for (const stream of streamsOfOne(world, one, wanted)) {
      if (sourceLabel !== undefined && !world.labelsOf(stream).includes(sourceLabel)) continue;
      const key = keyOf(stream);
      if (!found.has(key)) found.set(key, stream);
    }
  return [...found.values()];
}

/** A role, or a field of a table. */
export type StreamOfEntity = { role: FieldRole } | { table: string; field: string };

/** As `streamsOf`, but what an entity has by itself counts alone: only without it what is below it is looked at. */
export function nearestStreams(world: EntityWorld, entityId: string, wanted: StreamOfEntity): EntityStream[] {
  const own = streamsOf(world, entityId, { ...wanted, over: 'self' });
  return own.length > 0 ? own : streamsOf(world, entityId, { ...wanted, over: 'descendants' });
}

/** Each role and each field that `nearestStreams` finds of an entity, with how many streams there are, and in what. */
export interface Offered {
  roles: ReadonlyMap<FieldRole, { count: number; kinds: ReadonlySet<SourceKind> }>;
  fields: readonly { table: string; field: string; units: string | null; count: number }[];
}

/** Everything that can be asked of an entity, in one look at what it has and what is below it. */
export function offeredOf(world: EntityWorld, entityId: string): Offered {
  const start = world.entity(entityId);
  const [first, ...below] = start ? withDescendants(world, start) : [];
  const own = tallied(world, first ? [first] : []);
  const all = tallied(world, below);
  const roles = new Map(
    [...all.roles, ...own.roles].map(([role, { keys, kinds }]) => [role, { count: keys.size, kinds }]),
  );
  const fields = [...new Map([...all.fields, ...own.fields]).values()];
  return { roles, fields: fields.map(({ keys, ...one }) => ({ ...one, count: keys.size })) };
}

function tallied(world: EntityWorld, entities: readonly EntityNode[]) {
  const roles = new Map<FieldRole, { keys: Set<string>; kinds: Set<SourceKind> }>();
  const fields = new Map<string, Pick<OwnStream, 'table' | 'field' | 'units'> & { keys: Set<string> }>();
  for (const entity of entities) {
    const streams = ownStreams(world, entity);
    for (const one of streams) {
      const { table, field, units } = one;
      const place = `${table}\0${field}`;
      const kept = fields.get(place) ?? { table, field, units, keys: new Set<string>() };
      kept.keys.add(keyOf(one));
      fields.set(place, kept);
    }
    const named = world.machineOf(entity)?.roles ?? {};
    const wanted = new Set([
      ...Object.keys(named),
      ...streams.map(({ role }) => role),
    ]) as Set<FieldRole | null>;
    for (const role of wanted)
      for (const one of role === null ? [] : ofRole(world, entity, streams, role)) {
        const kept = roles.get(role as FieldRole) ?? { keys: new Set(), kinds: new Set() };
        kept.keys.add(keyOf(one));
        kept.kinds.add(world.kindOf(one));
        roles.set(role as FieldRole, kept);
      }
  }
  return { roles, fields };
}

const keyOf = ({ deviceId, table, source, field }: Omit<OwnStream, 'units' | 'role' | 'factor' | 'offset'>) =>
  [deviceId, table, source, field].join('\0');

/** The entities that a selector is about, seen from one. Throws `UnknownStrategy`. */
export function entitiesOver(
  world: EntityWorld,
  start: EntityNode | undefined,
  { over, path = [], label }: Pick<StreamSelector, 'over' | 'path' | 'label'>,
): EntityNode[] {
  const strategy = STRATEGIES[over as DescendantStrategy] as Strategy | undefined;
  if (!strategy || !Object.hasOwn(STRATEGIES, over)) throw new UnknownStrategy(over);
  return start ? strategy(world, start, { path, label }) : [];
}

type Strategy = (
  world: EntityWorld,
  start: EntityNode,
  of: { path: readonly string[]; label: string | undefined },
) => EntityNode[];

const STRATEGIES: Readonly<Record<DescendantStrategy, Strategy>> = {
  self: (_world, start) => [start],
  path: (world, start, { path }) =>
    path.reduce<EntityNode[]>(
      (level, name) =>
        level.flatMap(({ _id }) =>
          world.childrenOf(_id).filter((one) => one.name === name || one._id === name),
        ),
      [start],
    ),
  children: (world, start) => [...world.childrenOf(start._id)],
  descendants: (world, start) => withDescendants(world, start),
  label: (world, start, { label }) =>
    withDescendants(world, start).filter(({ labels }) => label !== undefined && labels.includes(label)),
};

/** The entity and everything below it, parents before children. */
function withDescendants(world: EntityWorld, start: EntityNode): EntityNode[] {
  const seen = new Set([start._id]);
  const all = [start];
  for (const { _id } of all)
    for (const child of world.childrenOf(_id))
      if (!seen.has(child._id)) {
        seen.add(child._id);
        all.push(child);
      }
  return all;
}

/** A stream that an entity has by itself, before somebody asks for one of them. */
interface OwnStream {
  deviceId: string;
  table: string;
  source: string;
  field: string;
  units: string | null;
  role: FieldRole | null;
  factor: number;
  offset: number;
}

function* streamsOfOne(
  world: EntityWorld,
  entity: EntityNode,
  wanted: StreamSelector,
): Iterable<EntityStream> {
  const own = ownStreams(world, entity);
  if ('field' in wanted) {
    for (const { deviceId, table, source, field, units } of own)
      if (table === wanted.table && field === wanted.field)
        yield { entity: entity._id, deviceId, table, source, field, units, factor: 1, offset: 0 };
    return;
  }
  yield* ofRole(world, entity, own, wanted.role);
}

function* ofRole(
  world: EntityWorld,
  entity: EntityNode,
  own: readonly OwnStream[],
  role: FieldRole,
): Iterable<EntityStream> {
  const place = world.machineOf(entity)?.roles[role];
  for (const one of own) {
    const { deviceId, table, source, field } = one;
    const at = { entity: entity._id, deviceId, table, source, field };
    if (place) {
      if (place.table !== table || place.field !== field) continue;
      const units = place.units ?? one.units;
      const scale = scaleOfRole(role, units, field);
      if (scale) yield { ...at, units, ...scale };
    } else if (one.role === role) yield { ...at, units: one.units, factor: one.factor, offset: one.offset };
  }
}

/** Every stream of one entity, each once: those of its sources, its single fields, and of calculations about it. */
export function ownStreams(
  world: EntityWorld,
  { _id, signals }: Pick<EntityNode, 'signals'> & Partial<Pick<EntityNode, '_id'>>,
): OwnStream[] {
  const found = new Map<string, OwnStream>();
  const add = (one: OwnStream) => {
    const key = keyOf(one);
    if (!found.has(key)) found.set(key, one);
  };
  for (const { deviceId, source, table } of signals.sources)
    for (const known of world.sourcesOf(deviceId))
      if (known.source === source && (table === undefined || table === known.table))
        for (const field of known.fields) add(streamOf(known, field.name));
  for (const { deviceId, table, source, field } of signals.fields) {
    const known = world.sourcesOf(deviceId).find((one) => one.table === table && one.source === source);
    add(streamOf(known ?? { deviceId, table, source, fields: [] }, field));
  }
  for (const { calculation_id: deviceId, table, source, fields } of signals.calculationFields)
    for (const field of fields) {
      const known = world.sourcesOf(deviceId).find((one) => one.table === table && one.source === source);
      add(streamOf(known ?? { deviceId, table, source, fields: [] }, field));
    }
  if (_id !== undefined)
    for (const known of world.calculatedOf(_id))
      for (const field of known.fields) add(streamOf(known, field.name));
  return [...found.values()];
}

/** What is written down counts, also where its source has not sent anything yet. */
function streamOf({ deviceId, table, source, fields }: Omit<KnownSource, 'kind'>, name: string): OwnStream {
  const known = fields.find((one) => one.name === name);
  const { units = null, role = null, factor = 1, offset = 0 } = known ?? {};
  return { deviceId, table, source, field: name, units, role, factor, offset };
}

/** A table and field that an entity has from several sources at once. */
export interface SignalConflict {
  table: string;
  field: string;
  sources: { deviceId: string; source: string }[];
}

/** What boards cannot tell apart in one entity; children, one per source, would. */
export function conflictsOf(world: EntityWorld, entity: { signals: Signals }): SignalConflict[] {
  const byField = new Map<string, SignalConflict>();
  for (const { deviceId, table, source, field } of ownStreams(world, entity)) {
    const key = `${table}\0${field}`;
    const kept = byField.get(key) ?? { table, field, sources: [] };
    kept.sources.push({ deviceId, source });
    byField.set(key, kept);
  }
  return [...byField.values()].filter(({ sources }) => sources.length > 1);
}
