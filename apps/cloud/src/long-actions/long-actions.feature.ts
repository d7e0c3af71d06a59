import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import { type Bus, hear } from '../bus/bus.ts';
import type { FileStore } from '../files/files.store.ts';
import type { Feature } from '../house/feature.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import { longActionsRoutes } from './long-actions.routes.ts';
import { LongActions } from './long-actions.service.ts';
import { LongActionsStore } from './long-actions.store.ts';
import { longActionsPart } from './long-actions.tables.ts';
import { longActionCancelled } from './long-actions.topics.ts';

/** What takes longer than a request. */
export function openLongActions(of: {
  postgres: Postgres;
  jobs: Jobs;
  files: FileStore;
  bus: Bus;
  sockets: Sockets;
  log: Logger;
}): Feature<LongActions> {
  const { postgres, sockets } = of;
  const longActions = new LongActions({
    ...of,
    store: new LongActionsStore(postgres),
    tellUser: (userId, action) => sockets.emitToUser(userId, 'long-action:changed', action),
    tell: sockets.tellList,
  });
  return {
    name: 'long-actions',
    service: longActions,
    workgroupPart: {
      tables: longActionsPart,
      closing: (workgroup) => longActions.forgetFiles(workgroup),
    },
    hears: [hear(longActionCancelled, ({ id }) => longActions.cancelHere(id))],
    jobs: (jobs) => {
      jobs.add(longActions.job);
      jobs.add(longActions.tidying);
    },
    routes: (app) => longActionsRoutes(app, longActions),
  };
}
