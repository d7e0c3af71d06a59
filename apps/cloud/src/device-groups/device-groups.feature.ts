import type { Postgres } from '@albedo/postgres/postgres';
import type { Audit } from '../audit/audit.service.ts';
import { type Bus, hear } from '../bus/bus.ts';
import { deviceGroupsPart } from '../database/device-groups.tables.ts';
import type { Feature } from '../house/feature.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import { deviceGroupsRoutes } from './device-groups.routes.ts';
import { DeviceGroups } from './device-groups.service.ts';
import { DeviceGroupsStore } from './device-groups.store.ts';
import { deviceGroupChanged, scopesChanged } from './device-groups.topics.ts';

/** Groups of devices, and who may see which. */
export function openDeviceGroups(of: {
  postgres: Postgres;
  registry: DeviceRegistry;
  audit: Audit;
  sockets: Sockets;
  bus: Bus;
}): Feature<DeviceGroups> {
  const { postgres, registry, audit, sockets, bus } = of;
  const store = new DeviceGroupsStore(postgres);
  const deviceGroups = new DeviceGroups({ store, registry, audit, tell: sockets.tellList, bus });
  return {
    name: 'device-groups',
    service: deviceGroups,
    workgroupPart: { tables: deviceGroupsPart, removed: (workgroup) => deviceGroups.forget(workgroup) },
    hears: [
      hear(deviceGroupChanged, (change, { isOwn }) => {
        if (!isOwn) deviceGroups.apply(change);
      }),
      hear(scopesChanged, () => sockets.scopesChanged()),
    ],
    routes: (app) => deviceGroupsRoutes(app, deviceGroups),
    start: () => deviceGroups.start(),
  };
}
