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
}

/** The plants below the entity of the board, the worst first. A display is told nothing of them. */
export function usePlants() {
  const { wg, isDisplay, entityId, byId } = useBoard();
  const { data, error, refetch } = useQuery({ ...glanceQuery(wg), enabled: !isDisplay });
  const below = useMemo(() => {
    const names = new Map<string, Set<string>>();
    for (const entity of byId.values()) {
      let [at, under] = [entity, entity];
      while (at._id !== entityId) {
        const above = byId.get(at.parent ?? '');
        if (!above) break;
        [under, at] = [at, above];
      }
      if (at._id !== entityId) continue;
      for (const { deviceId } of [...entity.signals.sources, ...entity.signals.fields]) {
        const known = names.get(deviceId.toLowerCase());
        if (known) known.add(under.name);
        else names.set(deviceId.toLowerCase(), new Set([under.name]));
      }
    }
    return names;
  }, [byId, entityId]);
  const plants = useMemo(
    () =>
      data?.plants.flatMap((plant): BoardPlant[] => {
        const names = below.get(plant.device);
        if (!names) return [];
        const [one] = names;
        return [{ plant, name: names.size === 1 && one !== undefined ? one : plant.name }];
      }),
    [data, below],
  );
  return { plants, calmSince: data?.calmSince ?? null, error, retry: () => void refetch() };
}
