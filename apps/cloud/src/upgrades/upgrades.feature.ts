import { randomUUID } from 'node:crypto';
import { upgradesApi } from '@albedo/contract/upgrades/upgrades.api';
import type { Audit } from '../audit/audit.service.ts';
import type { Certificates } from '../certificates/certificates.service.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import type { Devices } from '../devices/devices.service.ts';
import type { Health } from '../health/health.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import { type PackSources, Packs } from '../packs/packs.service.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import { Upgrades } from './upgrades.service.ts';

/** New versions of agents, on one device after the other. */
export function openUpgrades(of: {
  deviceAsks: DeviceAsks;
  devices: Devices;
  certificates: Certificates;
  health: Health;
  audit: Audit;
  sockets: Sockets;
  packSources: PackSources | undefined;
}): Feature<Upgrades> {
  const { certificates, devices, sockets } = of;
  const upgrades = new Upgrades({
    ...of,
    packs: new Packs(of.packSources),
    sign: (text) => certificates.signRelease(text),
    archOf: (workgroup, device) => devices.archOf(workgroup, device),
  });
  return {
    name: 'upgrades',
    service: upgrades,
    routes: (app) =>
      bind(app, upgradesApi, {
        build: () => upgrades.build(),
        readiness: ({ params, signal }) => upgrades.readiness(params.device, signal),
      }),
    sockets: () => {
      sockets.on('device:doUpgrade', async ({ request, workgroup, session, address, signal, reply }) => {
        const { deviceId: device } = request;
        const by = { userId: session._id, email: session.email, address };
        const version = await upgrades.version();
        const order = { id: randomUUID(), workgroup, device, by };
        // It is carried to its end also when the browser goes: a device that nobody tells to stay goes back.
        const done = await upgrades.upgrade(order, new AbortController().signal, (step) => {
          if (!signal.aborted) reply({ status: 'working', step, version });
        });
        return { status: 'completed', step: null, version: done };
      });
    },
  };
}
