import { discoveryApi } from '@albedo/contract/discovery/discovery.api';
import type { Postgres } from '@albedo/postgres/postgres';
import { actorOf } from '../access/actor.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import type { Health } from '../health/health.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import type { LongActions } from '../long-actions/long-actions.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import { Discovery, type ScanKind } from './discovery.service.ts';
import { DiscoveryStore } from './discovery.store.ts';
import { discoveryPart } from './discovery.tables.ts';

/** The networks that devices are in: what they know of them, and what they find when they look. */
export function openDiscovery(of: {
  postgres: Postgres;
  deviceAsks: DeviceAsks;
  longActions: LongActions;
  registry: DeviceRegistry;
  health: Health;
  audit: Audit;
}): Feature<Discovery> {
  const { postgres, deviceAsks, health } = of;
  const store = new DiscoveryStore(postgres);
  const discovery = new Discovery({ ...of, store, isOnline: (device) => health.of(device).online });
  of.longActions.add(discovery.kind);
  const newest = (kind: ScanKind) => (call: { params: { device: string } }) =>
    store.newest(call.params.device, kind) as Promise<never>;
  const at = (call: { workgroup: string; params: { device: string } }) => ({
    workgroup: call.workgroup,
    device: call.params.device,
  });
  return {
    name: 'discovery',
    service: discovery,
    workgroupPart: { tables: discoveryPart },
    routes: (app) =>
      bind(app, discoveryApi, {
        interfaces: ({ params: { device }, signal }) =>
          deviceAsks.ask(device, 'network.read', {}, { signal }),
        openServices: async (call) => {
          discovery.record(at(call), 'openServices', null, actorOf(call));
          const { device } = call.params;
          return (await deviceAsks.ask(device, 'network.services', {}, { signal: call.signal })).services;
        },
        ports: newest('scan.ports'),
        scanPorts: (call) => discovery.begin(at(call), 'scan.ports', call.body, actorOf(call)),
        neighbours: newest('scan.arp'),
        scanNeighbours: (call) => discovery.begin(at(call), 'scan.arp', call.body, actorOf(call)),
        look: (call) => discovery.look(at(call), call.body, actorOf(call), call.signal) as Promise<never>,
        lookForModbus: (call) =>
          discovery.look(at(call), call.body, actorOf(call), call.signal) as Promise<never>,
        modbus: newest('scan.modbus'),
        scanModbus: (call) => discovery.begin(at(call), 'scan.modbus', call.body, actorOf(call)),
      }),
  };
}
