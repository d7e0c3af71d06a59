import type { BoardStream } from '@albedo/contract/boards/streams.schema';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import { entitiesOver } from '@albedo/contract/entities/entity-streams';
import { useMemo } from 'react';
import { useBoard } from '../board-context.ts';
import { type Line, linesOf, NoLine } from '../lines.ts';

/** The entities that rows stand for, seen from the one of the board; it is none of them, unless it stands alone. */
export function useRows(
  rows: 'self' | 'children' | 'descendants' | 'label',
  label: string | undefined,
): Entity[] {
  const { world, entityId, byId } = useBoard();
  return useMemo(() => {
    const over = { over: rows, ...(label ? { label } : {}) };
    const found = entitiesOver(world, world.entity(entityId), over);
    return found.flatMap(({ _id }) => {
      const one = byId.get(_id);
      return one && (rows === 'self' || _id !== entityId) ? [one] : [];
    });
  }, [world, entityId, byId, rows, label]);
}

/** What an entity is below, where another row has its name; null where the name says enough. */
export function usePlaces(rows: readonly Entity[]): (row: Entity) => string | null {
  const { byId } = useBoard();
  return useMemo(() => {
    const isShared = new Set(rows.map(({ name }) => name)).size < rows.length;
    return ({ parent }) => (isShared && parent ? (byId.get(parent)?.name ?? null) : null);
  }, [rows, byId]);
}

/** The line of each row: all of its streams as one; null for a row without any. */
export function useLinesOfRows(rows: readonly Entity[], stream: BoardStream | undefined): (Line | null)[] {
  const { world } = useBoard();
  return useMemo(() => {
    if (!stream) return rows.map(() => null);
    const combine = stream.combine === 'each' ? 'sum' : stream.combine;
    return rows.map(({ _id }) => {
      try {
        const [line] = linesOf(world, _id, { ...stream, combine });
        return line ? { ...line, key: `${_id}~${line.key}` } : null;
      } catch (error) {
        if (error instanceof NoLine) return null;
        throw error;
      }
    });
  }, [world, rows, stream]);
}

/** The place of an entity on the globe, degrees: what its metadata say. */
export function positionOf({ meta }: Pick<Entity, 'meta'>): { latitude: number; longitude: number } | null {
  const facts = new Map(Object.entries(meta).map(([name, value]) => [name.toLowerCase(), value]));
  const numberIn = (...names: string[]) => {
    for (const name of names) {
      const value = Number(facts.get(name) ?? Number.NaN);
      if (Number.isFinite(value)) return value;
    }
    return null;
  };
  const [latitude, longitude] = [numberIn('latitude', 'lat'), numberIn('longitude', 'lon', 'lng')];
  if (latitude === null || longitude === null || Math.abs(latitude) > 90 || Math.abs(longitude) > 180)
    return null;
  return { latitude, longitude };
}

/** The power that the metadata of an entity rate it at, W: kWp, kW or W. */
export function ratedW({ meta }: Pick<Entity, 'meta'>): number | null {
  for (const [name, factor] of [
    ['kWp', 1000],
    ['peakPowerKw', 1000],
    ['ratedPowerKw', 1000],
    ['kW', 1000],
    ['peakPowerW', 1],
    ['ratedPowerW', 1],
  ] as const) {
    const value = Number(meta[name] ?? Number.NaN);
    if (Number.isFinite(value) && value > 0) return value * factor;
  }
  return null;
}
