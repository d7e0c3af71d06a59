import { devicesEvents } from '@albedo/contract/devices/devices.socket';
import type { Postgres } from '@albedo/postgres/postgres';
import type { Audit } from '../audit/audit.service.ts';
import { type Bus, hear } from '../bus/bus.ts';
import type { Certificates } from '../certificates/certificates.service.ts';
import type { Ledger } from '../completeness/completeness.service.ts';
import { devicesPart } from '../database/devices.tables.ts';
import type { DeviceGroups } from '../device-groups/device-groups.service.ts';
import { devicesMoved } from '../device-groups/device-groups.topics.ts';
import type { DeviceLink } from '../device-link/device-link.service.ts';
import type { Enrolment } from '../enrolment/enrolment.service.ts';
import type { Health } from '../health/health.service.ts';
import { deviceStateChanged, factsChanged } from '../health/health.topics.ts';
import type { Feature } from '../house/feature.ts';
import { metaSaid } from '../ingest/ingest.topics.ts';
import type { LiveFeeds } from '../live-feeds/live-feeds.service.ts';
import { latestChanged } from '../live-feeds/live-feeds.topics.ts';
import { type PackSources, Packs } from '../packs/packs.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { devicesFindings } from './devices.findings.ts';
import { recordIn } from './devices.record.ts';
import { devicesRoutes } from './devices.routes.ts';
import { devicesNarrowings } from './devices.scope.ts';
import { Devices } from './devices.service.ts';
import { devicesSockets } from './devices.sockets.ts';
import { DevicesStore } from './devices.store.ts';
import { deviceRemoved, deviceSet, metaKept } from './devices.topics.ts';
import { ownSources } from './own-sources.ts';

export interface DevicesParts extends LiveFeeds {
  postgres: Postgres;
  registry: DeviceRegistry;
  deviceGroups: DeviceGroups;
  certificates: Certificates;
  enrolment: Enrolment;
  deviceLink: DeviceLink;
  health: Health;
  telemetry: Telemetry;
  ledger: Ledger;
  audit: Audit;
  sockets: Sockets;
  bus: Bus;
  packSources: PackSources | undefined;
  publicUrl: () => string;
}

/** The devices of workgroups, and what people see of them and do with them. */
export function openDevices(of: DevicesParts): Feature<Devices> {
  const { postgres, registry, telemetry, deviceLink, sockets, requests } = of;
  const store = new DevicesStore(postgres);
  const teller = sockets.teller(devicesEvents, devicesNarrowings);
  const devices = new Devices({
    ...of,
    store,
    record: recordIn(of.audit),
    packs: new Packs(of.packSources),
    latest: async (caller, device) => {
      const [latest, row] = await Promise.all([
        telemetry.for(caller).latest(device),
        store.get(caller.workgroup, device),
      ]);
      return ownSources(latest, row?.meta ?? null);
    },
    emit: (workgroup, event, payload) => {
      teller.emit(workgroup, event, payload);
      // Groups may count it without naming it.
      if (event === 'device:new' || event === 'device:removed')
        sockets.listChanged('device-groups', workgroup);
    },
    addresses: () => ({ mqtt: deviceLink.address, publicUrl: of.publicUrl() }),
  });
  return {
    name: 'devices',
    service: devices,
    findings: devicesFindings(of),
    workgroupPart: {
      tables: devicesPart,
      counted: {
        devices: async () => numberOf(await store.workgroups(), () => true),
        online: async () => numberOf(await store.workgroups(), ({ id }) => of.health.of(id).online),
      },
      closing: async (workgroup, by, signal) => {
        for (const { id } of await store.list(workgroup)) {
          signal.throwIfAborted();
          await devices.remove(workgroup, id, by);
        }
      },
    },
    hears: [
      hear(deviceSet, (device, { isOwn }) => (isOwn ? undefined : devices.applySet(device))),
      hear(deviceRemoved, ({ id }, { isOwn }) => {
        if (!isOwn) devices.applyRemoved(id);
      }),
      hear(metaSaid, async ({ device, message }) => {
        const known = await registry.find(device);
        if (known) await devices.setMeta(known.workgroup, device, message.meta);
      }),
      hear(metaKept, ({ device, meta }) => requests.takeMeta(device, meta)),
      hear(devicesMoved, ({ workgroup, groupId, entered, left }) => {
        for (const deviceId of left) teller.emitToGroup(workgroup, groupId, 'device:removed', { deviceId });
        for (const id of entered) {
          const device = devices.summaryOf(id);
          if (device) teller.emitToGroup(workgroup, groupId, 'device:new', device);
        }
      }),
      hear(factsChanged, (changes, { isOwn }) => {
        if (!isOwn) return;
        const byWorkgroup = Map.groupBy(changes, ({ deviceId }) => registry.known(deviceId)?.workgroup);
        for (const [workgroup, all] of byWorkgroup)
          if (workgroup) teller.emit(workgroup, 'device:facts', all);
      }),
      hear(deviceStateChanged, ({ workgroup, ...change }) =>
        teller.emit(workgroup, 'device:stateChange', change),
      ),
      hear(latestChanged, ({ device, sources }) =>
        teller.tellWatchers(device, 'device:latest', { deviceId: device, sources }),
      ),
    ],
    routes: (app) => devicesRoutes(app, devices),
    sockets: () => devicesSockets(sockets, of),
  };
}

type DeviceOf = { id: string; workgroup: string };

function numberOf(all: readonly DeviceOf[], counts: (device: DeviceOf) => boolean): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const device of all.filter(counts))
    numbers.set(device.workgroup, (numbers.get(device.workgroup) ?? 0) + 1);
  return numbers;
}
