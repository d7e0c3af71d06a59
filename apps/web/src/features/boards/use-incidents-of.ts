import type { Entity } from '@albedo/contract/entities/entities.schema';
import { sourceKey } from '@albedo/contract/entities/source-names';
import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import { useCallback } from 'react';
import { isTold } from '../../app/incidents/gravity.ts';
import { useIncidentsOf as useIncidentsIn } from '../../app/incidents/incidents-query.ts';
import { useBoard } from './board-context.ts';

const NONE: readonly Incident[] = [];

/** What is wrong with an entity and with what is below it, the gravest first. A display is told nothing of it. */
export function useIncidentsOf(): (entity: string) => readonly Incident[] {
  const { wg, isDisplay, byId } = useBoard();
  const { all } = useIncidentsIn(wg, !isDisplay);
  const found = foundIn(all ?? NONE, byId);
  return useCallback((entity) => found.get(entity) ?? NONE, [found]);
}

type ByEntity = ReadonlyMap<string, readonly Incident[]>;
const made = new WeakMap<readonly Incident[], WeakMap<ReadonlyMap<string, Entity>, ByEntity>>();

/** Made once for each list of incidents and each tree, however many rows of however many widgets ask. */
function foundIn(all: readonly Incident[], byId: ReadonlyMap<string, Entity>): ByEntity {
  const ofList = made.get(all) ?? new WeakMap<ReadonlyMap<string, Entity>, ByEntity>();
  made.set(all, ofList);
  const known = ofList.get(byId) ?? byEntity(all.filter(isTold), byId);
  ofList.set(byId, known);
  return known;
}

function byEntity(incidents: readonly Incident[], byId: ReadonlyMap<string, Entity>): ByEntity {
  if (incidents.length === 0) return new Map();
  const ofSource = new Map<string, Entity[]>();
  const ofDevice = new Map<string, Entity[]>();
  const put = (map: Map<string, Entity[]>, key: string, entity: Entity) => {
    const some = map.get(key);
    if (!some) map.set(key, [entity]);
    else if (some.at(-1) !== entity) some.push(entity);
  };
  for (const entity of byId.values()) {
    for (const { deviceId, source } of [...entity.signals.sources, ...entity.signals.fields]) {
      put(ofSource, sourceKey(deviceId, source), entity);
      put(ofDevice, deviceId.toLowerCase(), entity);
    }
  }
  const found = new Map<string, Set<Incident>>();
  for (const incident of incidents) {
    const { device, source } = incident;
    if (device === null) continue;
    const own = source === null ? ofDevice.get(device) : ofSource.get(sourceKey(device, source));
    for (const entity of own ?? []) {
      for (let at: Entity | undefined = entity; at; at = byId.get(at.parent ?? '')) {
        const known = found.get(at._id);
        // What is above knows of it already.
        if (known?.has(incident)) break;
        if (known) known.add(incident);
        else found.set(at._id, new Set([incident]));
      }
    }
  }
  return new Map([...found].map(([id, some]) => [id, [...some]]));
}
