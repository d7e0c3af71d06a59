import type { PlantGlance } from '@albedo/contract/glance/glance.schema';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { glanceQuery } from '../../app/glance/glance-query.ts';
import { useBoard } from './board-context.ts';

/** A plant under the name that the board gives it. */
export interface BoardPlant {
  plant: PlantGlance;
  /** The name of its entity right below the board's, if there is exactly one; else the name of its device. */
  name: string;
  /** Ids of the entities right below the board's entity that contain it. */
  under: ReadonlySet<string>;
}

/** The plants below the board's entity, the worst first. Displays may not read them. */
export function usePlants() {
  const { wg, isDisplay, entityId, byId } = useBoard();
  const { data, error, refetch } = useQuery({ ...glanceQuery(wg), enabled: !isDisplay });
  const below = useMemo(() => {
    const entitiesOf = new Map<string, Set<string>>();
    for (const entity of byId.values()) {
      let [at, under] = [entity, entity];
      while (at._id !== entityId) {
        const above = byId.get(at.parent ?? '');
        if (!above) break;
        [under, at] = [at, above];
      }
      if (at._id !== entityId) continue;
      for (const { deviceId } of [...entity.signals.sources, ...entity.signals.fields]) {
        const entities = entitiesOf.get(deviceId.toLowerCase());
        if (entities) entities.add(under._id);
        else entitiesOf.set(deviceId.toLowerCase(), new Set([under._id]));
      }
    }
    return entitiesOf;
  }, [byId, entityId]);
  const plants = useMemo(
    () =>
      data?.plants.flatMap((plant): BoardPlant[] => {
        const under = below.get(plant.device);
        if (!under) return [];
        const [first = ''] = under;
        return [{ plant, under, name: (under.size === 1 && byId.get(first)?.name) || plant.name }];
      }),
    [data, below, byId],
  );
  return { plants, calmSince: data?.calmSince ?? null, error, retry: () => void refetch() };
}
