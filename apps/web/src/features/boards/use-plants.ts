import type { PlantGlance } from '@albedo/contract/glance/glance.schema';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { glanceQuery } from '../../app/glance/glance-query.ts';
import { useBoard } from './board-context.ts';

/** A plant as the board calls it. */
export interface BoardPlant {
  plant: PlantGlance;
  /** That of the entity right below the one of the board, where the whole plant is one; else of its device. */
  name: string;
  /** Ids of the entities right below the one of the board that it is part of. */
  under: ReadonlySet<string>;
}

/** The plants below the entity of the board, the worst first. A display is told nothing of them. */
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
