import { type EntityWorld, nearestStreams } from '@albedo/contract/entities/entity-streams';
import type { EntityStream } from '@albedo/contract/entities/streams.schema';
import {
  DIMENSIONS,
  type Dimension,
  FIELD_ROLES,
  type FieldRole,
  type SourceKind,
  unitOfRole,
} from '@albedo/contract/field-roles/field-roles';
import type { Combining } from '@albedo/contract/telemetry/combine-values';
import type { CombinedSeries } from '@albedo/contract/telemetry/telemetry.schema';
import { t } from 'i18next';
import type { KnownWorld } from '../../app/entity-world-query.ts';
import { fieldName } from '../../app/series/field-name.ts';
import { baseUnit } from '../../ui/units/units.ts';
import type { EntityLine } from './analysis-lines.ts';

/** What parts of a plant have together is their sum; of everything else it is their mean. */
const ADDED: ReadonlySet<string> = new Set(
  (['power', 'energy', 'apparentPower', 'reactivePower', 'current'] satisfies Dimension[]).map(
    (one) => DIMENSIONS[one],
  ),
);
/** Codes: neither their sum nor their mean means anything. */
const CODES: ReadonlySet<FieldRole> = new Set(['state', 'event']);

/**
 * Whether the streams of several parts can be one line. What has no direction is the same wherever it is measured, so that
 * the currents of inverters and of the meter behind them would count twice.
 */
export const canBeOne = (role: FieldRole, kinds: ReadonlySet<SourceKind>): boolean =>
  !CODES.has(role) && (kinds.size < 2 || 'positive' in FIELD_ROLES[role]);

/** What a line of an entity reads. `units` are those of its values. */
export interface Reading {
  streams: CombinedSeries['streams'];
  combine: Combining;
  units: string | null;
  isStepped: boolean;
}

/** The streams of a line, in one unit; none where the entity has no such stream or is not to be seen. */
export function readingOf(world: EntityWorld, line: EntityLine): Reading {
  const found = nearestStreams(world, line.entity, line);
  const [first] = found;
  const isCode = 'role' in line && CODES.has(line.role);
  const kinds = new Set(found.map((one) => world.kindOf(one)));
  const isWhole = found.length < 2 || !('role' in line) || canBeOne(line.role, kinds);
  const scale = scaleOf(line, found);
  const units = 'role' in line ? unitOfRole(line.role) || null : (scale.units ?? null);
  const streams = found.map(({ deviceId: device, table, source, field, units: own, ...by }) => ({
    ...{ device, table, source, field },
    ...('role' in line ? { factor: by.factor, offset: by.offset } : { factor: scale.of(own), offset: 0 }),
  }));
  return {
    streams: isWhole ? streams : [],
    combine: ADDED.has(baseUnit(units).unit) ? 'sum' : 'mean',
    units: first ? units : null,
    isStepped: isCode,
  };
}

/** A field by itself is in its own unit; several are brought to the unit without its prefix, so that W and kW add up. */
function scaleOf(line: EntityLine, [first, ...others]: readonly EntityStream[]) {
  const isOne = 'role' in line || others.every(({ units }) => units === first?.units);
  if (isOne) return { units: first?.units, of: () => 1 };
  return {
    units: baseUnit(first?.units).unit || null,
    of: (units: string | null) => baseUnit(units).factor,
  };
}

/** What is drawn of the entity, for people. */
export const nameOfPart = (line: EntityLine): string =>
  'role' in line ? t(`plants.roles.names.${line.role}`) : fieldName(line.field);

/** Names that tell some entities apart: with those above them as far as it takes. */
export function entityNames({ byId }: Pick<KnownWorld, 'byId'>, ids: readonly string[]): Map<string, string> {
  const paths = new Map(ids.map((id) => [id, pathTo(byId, id)]));
  const nameAt = (id: string, levels: number) => (paths.get(id) ?? []).slice(-levels).join(' / ');
  return new Map(
    ids.map((id) => {
      const others = ids.filter((one) => one !== id);
      const most = paths.get(id)?.length ?? 1;
      let levels = 1;
      while (levels < most && others.some((one) => nameAt(one, levels) === nameAt(id, levels))) levels += 1;
      return [id, nameAt(id, levels)];
    }),
  );
}

/** Names from the top down to the entity. */
export function pathTo(byId: KnownWorld['byId'], id: string): string[] {
  const names: string[] = [];
  const seen = new Set<string>();
  for (let one = byId.get(id); one && !seen.has(one._id); one = byId.get(one.parent ?? '')) {
    seen.add(one._id);
    names.unshift(one.name);
  }
  return names;
}
