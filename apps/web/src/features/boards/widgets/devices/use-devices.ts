import type { Entity } from '@albedo/contract/entities/entities.schema';
import { useMemo } from 'react';
import { useBoard } from '../../board-context.ts';
import { useRows } from '../rows.ts';

/** A device behind the entities of a widget, and the first entity that has data of it. */
export interface DeviceOfRows {
  deviceId: string;
  entity: Entity;
}

/** The devices that the entities have data of, each once. */
export function useDevicesOfRows(
  rows: 'self' | 'children' | 'descendants' | 'label',
  label: string | undefined,
): DeviceOfRows[] {
  const { byId, entityId } = useBoard();
  const below = useRows(rows, label);
  return useMemo(() => {
    const own = byId.get(entityId);
    const all = rows === 'descendants' && own ? [own, ...below] : below;
    const found = new Map<string, DeviceOfRows>();
    // What calculations write of an entity comes from no device.
    for (const entity of all)
      for (const { deviceId } of [...entity.signals.sources, ...entity.signals.fields])
        if (!found.has(deviceId)) found.set(deviceId, { deviceId, entity });
    return [...found.values()];
  }, [byId, entityId, below, rows]);
}
