import { selectorOf } from '@albedo/contract/boards/stream-selector';
import type { BoardStream } from '@albedo/contract/boards/streams.schema';
import { type EntityWorld, streamsOf } from '@albedo/contract/entities/entity-streams';
import type { EntityStream } from '@albedo/contract/entities/streams.schema';
import { DIMENSIONS, FIELD_ROLES } from '@albedo/contract/field-roles/field-roles';
import { t } from 'i18next';
import { baseUnit } from '../../ui/units/units.ts';

/** A stream as the store knows it. */
export interface StreamKey {
  deviceId: string;
  table: string;
  source: string;
  field: string;
}

/** One line or figure: a stream, or several that are combined. Values are `stored * factor + offset`, in `units`. */
export interface Line {
  /** The same as long as the line is the same. */
  key: string;
  label: string;
  units: string | null;
  streams: EntityStream[];
  combine: Exclude<BoardStream['combine'], 'each'>;
}

/** What is wrong with a stream of a widget, as the key of a text. */
export class NoLine extends Error {
  readonly reason: 'missing' | 'units' | 'entity';
  readonly facts: Record<string, string>;
  constructor(reason: NoLine['reason'], facts: Record<string, string>) {
    super(reason);
    this.reason = reason;
    this.facts = facts;
  }
}

/**
 * The lines of a stream, seen from an entity. Throws `NoLine` where the entity is gone, where there is no such stream, and
 * where those to be combined measure different things; `UnknownStrategy` for an unknown selector.
 */
export function linesOf(world: EntityWorld, entityId: string, stream: BoardStream): Line[] {
  if (!world.entity(entityId)) throw new NoLine('entity', {});
  if (stream.isPerChild) return linesOfChildren(world, entityId, stream);
  const selector = selectorOf(stream);
  const found = streamsOf(world, entityId, selector).filter(
    ({ source }) => stream.source === undefined || stream.source === source,
  );
  const what = nameOf(stream);
  if (found.length === 0)
    throw new NoLine('missing', { what, entity: world.entity(entityId)?.name ?? entityId });
  const scaled = found.map((one) => inOneUnit(one, stream));
  if (stream.combine === 'each') {
    const areMany = scaled.length > 1;
    const twice = new Set(scaled.map(({ entity }) => entity)).size < scaled.length;
    return scaled.map((one) => {
      const entity = world.entity(one.entity)?.name ?? one.source;
      const label = twice ? `${entity} ${one.source}` : entity;
      return {
        key: [one.deviceId, one.table, one.source, one.field].join('~'),
        label: stream.name ? (areMany ? `${stream.name} ${label}` : stream.name) : areMany ? label : what,
        units: one.units,
        streams: [one],
        combine: 'sum' as const,
      };
    });
  }
  const units = [...new Set(scaled.map((one) => one.units ?? ''))];
  if (units.length > 1) throw new NoLine('units', { what, units: units.map((one) => one || '–').join(', ') });
  return [
    {
      key: `${entityId}~${JSON.stringify(stream)}`,
      label: stream.name ?? what,
      units: units[0] || null,
      streams: scaled,
      combine: stream.combine,
    },
  ];
}

/** One line for each child; children without such a stream have none. */
function linesOfChildren(
  world: EntityWorld,
  entityId: string,
  { isPerChild: _, ...stream }: BoardStream,
): Line[] {
  const combine = stream.combine === 'each' ? 'sum' : stream.combine;
  const lines = world.childrenOf(entityId).flatMap((child): Line[] => {
    try {
      const own = linesOf(world, child._id, { ...stream, over: 'descendants', combine });
      return own.map((line) => ({ ...line, label: child.name }));
    } catch (error) {
      if (error instanceof NoLine && error.reason === 'missing') return [];
      throw error;
    }
  });
  if (lines.length > 0) return lines;
  throw new NoLine('missing', { what: nameOf(stream), entity: world.entity(entityId)?.name ?? entityId });
}

/** Lines of several streams; one that has none is left out as long as another has some. */
export function linesOfAll(world: EntityWorld, entityId: string, streams: readonly BoardStream[]): Line[] {
  const lines: Line[] = [];
  let failure: unknown = null;
  for (const stream of streams) {
    try {
      lines.push(...linesOf(world, entityId, stream));
    } catch (error) {
      failure ??= error;
    }
  }
  if (lines.length === 0 && failure) throw failure;
  return lines;
}

/** What a stream is called where nobody gave it a name. */
export const nameOf = ({ role, field }: Pick<BoardStream, 'role' | 'field'>): string =>
  role === undefined ? (field ?? '') : t(`plants.roles.names.${role}`);

/** Roles are in the unit of their dimension; fields in their unit without its prefix, so that W and kW add up. */
function inOneUnit(one: EntityStream, { role, combine }: BoardStream): EntityStream {
  if (role !== undefined) return { ...one, units: DIMENSIONS[FIELD_ROLES[role].dimension] };
  if (combine === 'each') return one;
  const { unit, factor } = baseUnit(one.units);
  return { ...one, units: unit || null, factor };
}
