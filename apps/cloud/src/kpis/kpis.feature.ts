import { kpisApi } from '@albedo/contract/kpis/kpis.api';
import type { Postgres } from '@albedo/postgres/postgres';
import { callerOf } from '../access/caller.ts';
import { managerOf } from '../access/manager.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Entities } from '../entities/entities.service.ts';
import type { EntityStreams } from '../entities/entity-streams.service.ts';
import type { History } from '../history/history.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { kpisHistory } from './kpis.history.ts';
import { Kpis } from './kpis.service.ts';
import { KpisStore } from './kpis.store.ts';
import { kpisPart } from './kpis.tables.ts';

/** Figures of entities, from what devices send, facts and formulas. */
export function openKpis(of: {
  postgres: Postgres;
  telemetry: Telemetry;
  entities: Entities;
  entityStreams: EntityStreams;
  audit: Audit;
  sockets: Sockets;
  history: History;
}): Feature<Kpis> {
  const { postgres, sockets, history } = of;
  const kpis = new Kpis({ ...of, store: new KpisStore(postgres), tell: sockets.tellList });
  history.announce(kpisHistory(kpis));
  return {
    name: 'kpis',
    service: kpis,
    workgroupPart: { tables: kpisPart },
    routes: (app) =>
      bind(
        app,
        kpisApi,
        {
          list: ({ workgroup }) => kpis.list(workgroup),
          create: (call) => kpis.create(call.workgroup, call.body, managerOf(call)),
          update: (call) => kpis.update(call.workgroup, call.params.kpi, call.body, managerOf(call)),
          remove: async (call) => {
            await kpis.remove(call.workgroup, call.params.kpi, managerOf(call));
            return {};
          },
          evaluate: (call) => kpis.ask(callerOf(call), call.params.kpi, call.body, call.signal),
          rows: (call) => kpis.rows(callerOf(call), call.params.kpi, call.body, call.signal),
          preview: (call) => kpis.evaluate(callerOf(call), call.body.kpi, call.body.question, call.signal),
        },
        { trusted: ['evaluate', 'rows', 'preview'] },
      ),
  };
}
