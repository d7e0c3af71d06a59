import type { Postgres } from '@albedo/postgres/postgres';
import type { Audit } from '../audit/audit.service.ts';
import type { Feature } from '../house/feature.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import { Exports, type ExportsOptions } from './exports.service.ts';
import { Schedules, type SchedulesOptions } from './schedules.service.ts';
import { SchedulesStore } from './schedules.store.ts';
import { searchesRoutes } from './searches.routes.ts';
import { Searches } from './searches.service.ts';
import { SearchesStore } from './searches.store.ts';
import { searchesPart } from './searches.tables.ts';

/** Searches that people keep, share and have mailed, and files of what was found. */
export function openSearches(
  of: Omit<SchedulesOptions, 'store' | 'searches'> &
    ExportsOptions & { postgres: Postgres; audit: Audit; sockets: Sockets },
): Feature<Schedules> {
  const { postgres, audit, sockets, longActions } = of;
  const searches = new Searches({ store: new SearchesStore(postgres), audit, tell: sockets.tellList });
  const schedules = new Schedules({ ...of, store: new SchedulesStore(postgres), searches });
  const exports = new Exports(of);
  longActions.add(exports.kind);
  return {
    name: 'searches',
    service: schedules,
    workgroupPart: { tables: searchesPart },
    jobs: (jobs) => {
      jobs.add(schedules.looking);
      jobs.add(schedules.mailing);
    },
    routes: (app) => searchesRoutes(app, { ...of, searches, schedules, exports }),
  };
}
