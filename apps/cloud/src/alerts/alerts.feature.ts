import { alertsApi } from '@albedo/contract/alerts/alerts.api';
import { readSite } from '@albedo/contract/plants/plant-site';
import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import { callerOf } from '../access/caller.ts';
import { managerOf } from '../access/manager.ts';
import type { Audit } from '../audit/audit.service.ts';
import { type Bus, hear } from '../bus/bus.ts';
import type { Config } from '../config/config.ts';
import { alertsPart } from '../database/alerts.tables.ts';
import { deviceRemoved } from '../devices/devices.topics.ts';
import type { Entities } from '../entities/entities.service.ts';
import { entitiesChanged } from '../entities/entities.topics.ts';
import type { FieldRoles } from '../field-roles/field-roles.service.ts';
import type { Health } from '../health/health.service.ts';
import type { History } from '../history/history.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import type { Incidents } from '../incidents/incidents.service.ts';
import { incidentsChanged } from '../incidents/incidents.topics.ts';
import { eventsArrived } from '../ingest/ingest.topics.ts';
import type { Members } from '../members/members.service.ts';
import type { Plants } from '../plants/plants.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import { setpointsSeen } from '../schedules/schedules.topics.ts';
import { securityFound } from '../security-services/security-services.topics.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { workgroupMade } from '../workgroups/workgroups.topics.ts';
import { AlertEngine } from './alert-engine.ts';
import { AlertTests } from './alert-tests.ts';
import { alertsHistory } from './alerts.history.ts';
import { Alerts } from './alerts.service.ts';
import { AlertsStore } from './alerts.store.ts';
import { alertsChanged } from './alerts.topics.ts';

/** The rules that make incidents, and what evaluates them. */
export function openAlerts(of: {
  config: Config;
  postgres: Postgres;
  telemetry: Telemetry;
  registry: DeviceRegistry;
  health: Health;
  entities: Entities;
  plants: Plants;
  roles: FieldRoles;
  incidents: Incidents;
  members: Members;
  workgroups: Workgroups;
  audit: Audit;
  history: History;
  sockets: Sockets;
  bus: Bus;
  log: Logger;
}): Feature<{ alerts: Alerts; engine: AlertEngine }> {
  const { config, postgres, registry, members, sockets } = of;
  const store = new AlertsStore(postgres);
  const works = config.roles.has('jobs');
  const alerts = new Alerts({
    ...of,
    store,
    memberIds: async (workgroup) => new Set((await members.list(workgroup)).map(({ userId }) => userId)),
    tell: sockets.tellList,
  });
  const engine = new AlertEngine({ ...of, store, works, beforeRound: () => alerts.shipAll() });
  of.history.announce(alertsHistory(alerts));
  const tests = new AlertTests({
    ...of,
    alerts,
    placeOf: (device) => readSite(registry.known(device)?.info ?? {}),
  });
  return {
    name: 'alerts',
    service: { alerts, engine },
    workgroupPart: { tables: alertsPart, removed: (workgroup) => engine.forget(workgroup) },
    hears: [
      hear(eventsArrived, (arrival) => engine.arrived(arrival)),
      hear(alertsChanged, ({ workgroup }) => engine.load(workgroup)),
      hear(entitiesChanged, ({ workgroup }) => engine.load(workgroup)),
      hear(incidentsChanged, ({ workgroup }, { isOwn }) => {
        if (!isOwn) engine.adopt(workgroup);
      }),
      hear(securityFound, (found) => engine.network(found)),
      hear(setpointsSeen, (seen) => engine.control(seen)),
      hear(deviceRemoved, ({ workgroup, id }) => engine.forgetDevice(workgroup, id)),
      hear(workgroupMade, ({ workgroup }) => alerts.ship(workgroup)),
    ],
    routes: (app) =>
      bind(app, alertsApi, {
        list: (call) => alerts.list(callerOf(call)),
        create: (call) => alerts.create(call.workgroup, call.body, managerOf(call)),
        update: (call) =>
          alerts.update(call.workgroup, call.params.alert, call.body, managerOf(call), call.query.version),
        remove: async (call) => {
          await alerts.remove(call.workgroup, call.params.alert, managerOf(call));
          return {};
        },
        test: (call) => tests.run(callerOf(call), call.body, call.signal),
        suppressions: (call) => alerts.suppressions(callerOf(call)),
        suppress: (call) => alerts.suppress(call.workgroup, call.body, managerOf(call)),
        changeSuppression: (call) =>
          alerts.changeSuppression(call.workgroup, call.params.suppression, call.body, managerOf(call)),
        endSuppression: async (call) => {
          await alerts.endSuppression(call.workgroup, call.params.suppression, managerOf(call));
          return {};
        },
      }),
    start: async () => {
      if (works) await alerts.shipAll();
      await engine.start();
    },
    stop: () => engine.stop(),
  };
}
