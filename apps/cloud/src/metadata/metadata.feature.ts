import { standingOf } from '@albedo/contract/devices/devices.schema';
import { metadataApi } from '@albedo/contract/metadata/metadata.api';
import { actorOf } from '../access/actor.ts';
import type { Devices } from '../devices/devices.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import { metadataInUse } from './metadata.in-use.ts';

/** What people say of devices and their sources. */
export function openMetadata({
  registry,
  devices,
}: {
  registry: DeviceRegistry;
  devices: Devices;
}): Feature<null> {
  return {
    name: 'metadata',
    service: null,
    routes: (app) =>
      bind(app, metadataApi, {
        inUse: ({ workgroup, scope }) => metadataInUse(registry.visible(workgroup, scope), scope),
        setSource: async (call) => {
          const { workgroup, scope, params, body } = call;
          const of = { workgroup, id: params.device, scope };
          const device = await devices.setSourceInfo(of, body, actorOf(call));
          return { ...device, ...standingOf(device.facts) };
        },
      }),
  };
}
