import { entitiesApi } from '@albedo/contract/entities/entities.api';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import { EntityWorld } from '@albedo/contract/entities/entity-streams';
import type { KnownSource } from '@albedo/contract/entities/streams.schema';
import { machinesApi } from '@albedo/contract/machines/machines.api';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { withLastState } from './last-state.ts';
import { followList, unlessTold } from './live-list.ts';
import { getSession } from './session.ts';

followList('entities', ['entity-world']);

/** What streams of entities are looked for in. */
export interface KnownWorld {
  world: EntityWorld;
  entities: readonly Entity[];
  byId: ReadonlyMap<string, Entity>;
  /** What can be chosen as a stream. */
  sources: readonly KnownSource[];
}

/** The entities, their sources and their machines. */
export const entityWorldQuery = (wg: string) =>
  queryOptions({
    queryKey: ['entity-world', wg],
    queryFn: async ({ signal }): Promise<KnownWorld> => {
      const on = { params: { wg } };
      const facts = getSession()?.workgroups?.find(({ name }) => name === wg);
      const hasMachines = facts?.addons.some(({ id }) => id === 'machines') ?? false;
      const [entities, sources, machines] = await withLastState(`entity-world ${wg}`, () =>
        Promise.all([
          call(entitiesApi.list, on, signal),
          call(entitiesApi.sources, on, signal),
          hasMachines ? call(machinesApi.list, on, signal) : [],
        ]),
      );
      const world = new EntityWorld({ entities, sources, machines });
      return { world, entities, sources, byId: new Map(entities.map((one) => [one._id, one])) };
    },
    staleTime: 60_000,
    refetchInterval: unlessTold(60_000),
    structuralSharing: false,
  });
