import type { Postgres } from '@albedo/postgres/postgres';
import { z } from 'zod';
import type { AccessControl } from '../access-control/access-control.service.ts';
import type { Audit } from '../audit/audit.service.ts';
import { type Bus, hear } from '../bus/bus.ts';
import type { FieldRoles } from '../field-roles/field-roles.service.ts';
import type { History } from '../history/history.service.ts';
import type { Feature } from '../house/feature.ts';
import { defineJob } from '../jobs/job.ts';
import type { Machines } from '../machines/machines.service.ts';
import { machineRemoved } from '../machines/machines.topics.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import { entitiesHistory } from './entities.history.ts';
import { entitiesRoutes } from './entities.routes.ts';
import { Entities } from './entities.service.ts';
import { EntitiesStore } from './entities.store.ts';
import { entitiesPart } from './entities.tables.ts';
import { EntityDeletions } from './entity-deletions.ts';
import { EntityStreams } from './entity-streams.service.ts';
import { EntityTraces } from './entity-traces.ts';
import { KeptTrees } from './kept-trees.ts';

/** Sites and assets as a tree. */
export function openEntities(of: {
  postgres: Postgres;
  accessControl: AccessControl;
  fieldRoles: FieldRoles;
  machines: Machines;
  audit: Audit;
  sockets: Sockets;
  bus: Bus;
  history: History;
  registry: DeviceRegistry;
}): Feature<{ entities: Entities; entityStreams: EntityStreams }> {
  const { postgres, sockets, history } = of;
  const store = new EntitiesStore(postgres);
  const trees = new KeptTrees(store);
  const traces = new EntityTraces({ ...of, tell: sockets.tellList });
  const entities = new Entities({ ...of, trees, traces });
  const deletions = new EntityDeletions({ ...of, store, trees, traces });
  history.announce(entitiesHistory(entities, deletions));
  const entityStreams = new EntityStreams({ ...of, entities });
  const forget = defineJob({
    name: 'entities-forget-deletions',
    payload: z.object({}),
    limitS: 300,
    retry: { times: 3, afterS: 60, atMostS: 600 },
    schedule: { cron: '20 3 * * *', zone: 'UTC', payload: {} },
    run: () => deletions.forgetOld(),
  });
  return {
    name: 'entities',
    service: { entities, entityStreams },
    workgroupPart: { tables: entitiesPart },
    jobs: (jobs) => jobs.add(forget),
    hears: [
      hear(machineRemoved, ({ workgroup, machine }, { isOwn }) =>
        isOwn ? entities.forgetMachine(workgroup, machine) : undefined,
      ),
    ],
    routes: (app) => entitiesRoutes(app, { entities, deletions, entityStreams }),
  };
}
