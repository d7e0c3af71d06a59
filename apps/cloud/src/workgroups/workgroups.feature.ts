import { workgroupsEvents } from '@albedo/contract/workgroups/workgroups.socket';
import type { Postgres } from '@albedo/postgres/postgres';
import type { EnabledAddons } from '../access/enabled-addons.ts';
import type { Audit } from '../audit/audit.service.ts';
import { type Bus, hear } from '../bus/bus.ts';
import { workgroupsPart } from '../database/workgroups.tables.ts';
import type { History } from '../history/history.service.ts';
import type { Feature } from '../house/feature.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import { addonsRoutes } from './addons.routes.ts';
import { Addons } from './addons.service.ts';
import { AddonsStore } from './addons.store.ts';
import { labelsHistory } from './labels.history.ts';
import { WorkgroupSettings } from './workgroup-settings.service.ts';
import { WorkgroupSettingsStore } from './workgroup-settings.store.ts';
import { workgroupsRoutes } from './workgroups.routes.ts';
import { Workgroups } from './workgroups.service.ts';
import { WorkgroupsStore } from './workgroups.store.ts';
import { workgroupChanged, workgroupSuspended } from './workgroups.topics.ts';

/** Workgroups, what they are set to, and which addons they have. */
export function openWorkgroups(of: {
  postgres: Postgres;
  audit: Audit;
  sockets: Sockets;
  bus: Bus;
  history: History;
  enabledAddons: EnabledAddons;
}): Feature<Workgroups> {
  const { postgres, audit, sockets, bus, history, enabledAddons } = of;
  const workgroups = new Workgroups(new WorkgroupsStore(postgres), bus, enabledAddons);
  const addons = new Addons({ store: new AddonsStore(postgres), workgroups, audit });
  const workgroupSettings = new WorkgroupSettings({
    store: new WorkgroupSettingsStore(postgres),
    ...{ workgroups, audit, history },
  });
  history.announce(labelsHistory(workgroupSettings));
  const teller = sockets.teller(workgroupsEvents, { 'workgroup:changed': 'everyone' });
  return {
    name: 'workgroups',
    service: workgroups,
    workgroupPart: { tables: workgroupsPart, removed: (workgroup) => workgroups.tellChanged(workgroup) },
    hears: [
      hear(workgroupChanged, async (changed, { isOwn }) => {
        await workgroups.readAddons(changed.workgroup);
        if (isOwn) teller.emit(changed.workgroup, 'workgroup:changed', changed);
      }),
      hear(workgroupSuspended, (suspension) => workgroups.applySuspension(suspension)),
    ],
    routes: (app) => {
      workgroupsRoutes(app, { workgroups, workgroupSettings });
      addonsRoutes(app, addons);
    },
    start: () => workgroups.start(),
  };
}
