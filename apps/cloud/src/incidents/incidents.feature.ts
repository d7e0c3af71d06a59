import { incidentsApi } from '@albedo/contract/incidents/incidents.api';
import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import { incidentsEvents } from '@albedo/contract/incidents/incidents.socket';
import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import { callerOf } from '../access/caller.ts';
import { managerOf } from '../access/manager.ts';
import type { Audit } from '../audit/audit.service.ts';
import { type Bus, hear } from '../bus/bus.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { AlertLookup } from './alert-lookup.store.ts';
import { Incidents, sees } from './incidents.service.ts';
import { IncidentsStore } from './incidents.store.ts';
import { incidentsPart } from './incidents.tables.ts';
import { incidentsChanged } from './incidents.topics.ts';
import { IncidentsLog } from './incidents-log.ts';

/** What is wrong: incidents, from their opening to their close. */
export function openIncidents(of: {
  postgres: Postgres;
  telemetry: Telemetry;
  registry: DeviceRegistry;
  workgroups: Workgroups;
  audit: Audit;
  sockets: Sockets;
  bus: Bus;
  log: Logger;
}): Feature<Incidents> {
  const { postgres, telemetry, sockets } = of;
  const store = new IncidentsStore(postgres);
  const log = new IncidentsLog({ ...of, store, sink: telemetry.asSystem('incidents') });
  const lookup = new AlertLookup(postgres);
  const incidents = new Incidents({
    ...of,
    store,
    alertOf: (workgroup, id) => lookup.find(workgroup, id),
    copySoon: () => log.soon(),
  });
  const teller = sockets.teller(incidentsEvents, {
    incident: (incident: Incident, scope) =>
      sees(scope, incident) ? { ...incident, consequences: incidents.consequencesOf(incident, scope) } : null,
  });
  return {
    name: 'incidents',
    service: incidents,
    workgroupPart: {
      tables: incidentsPart,
      telemetry: ['incidents_log'],
      removed: (workgroup) => incidents.forget(workgroup),
    },
    hears: [
      hear(incidentsChanged, async ({ workgroup, ids }, { isOwn }) => {
        if (!isOwn) return incidents.refresh(workgroup, ids);
        for (const incident of await incidents.seenByAll(workgroup, ids))
          teller.emit(workgroup, 'incident', incident);
      }),
    ],
    routes: (app) =>
      bind(app, incidentsApi, {
        active: (call) => incidents.active(callerOf(call)),
        history: (call) => incidents.history(callerOf(call), call.query),
        load: (call) => incidents.load(callerOf(call), call.query),
        get: (call) => incidents.get(callerOf(call), call.params.incident),
        acknowledge: (call) => incidents.acknowledge(callerOf(call), call.params.incident, managerOf(call)),
        acknowledgeAll: async (call) => ({
          acknowledged: await incidents.acknowledgeAll(callerOf(call), call.body.ids, managerOf(call)),
        }),
        note: (call) => incidents.note(callerOf(call), call.params.incident, call.body.text, managerOf(call)),
        shelve: (call) => incidents.shelve(callerOf(call), call.params.incident, call.body, managerOf(call)),
        unshelve: (call) => incidents.unshelve(callerOf(call), call.params.incident, managerOf(call)),
      }),
    start: async () => {
      await incidents.start();
      log.soon();
    },
    stop: () => log.stop(),
  };
}
