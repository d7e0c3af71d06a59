import { deviceConfigApi } from '@albedo/contract/device-config/device-config.api';
import type { Audit } from '../audit/audit.service.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Twins } from '../twins/twins.service.ts';
import { DeviceConfigs } from './device-config.service.ts';
import { savedConfig } from './saved-config.ts';

/** The configuration of devices: read, tested and applied on the device itself. */
export function openDeviceConfig(of: {
  deviceAsks: DeviceAsks;
  twins: Twins;
  audit: Audit;
  sockets: Sockets;
}): Feature<DeviceConfigs> {
  const { deviceAsks, sockets } = of;
  const configs = new DeviceConfigs(of);
  return {
    name: 'device-config',
    service: configs,
    routes: (app) =>
      bind(app, deviceConfigApi, {
        read: ({ params: { device }, signal }) => deviceAsks.ask(device, 'config.read', {}, { signal }),
      }),
    sockets: () => {
      sockets.on('device:testConfig', ({ request: { deviceId, config }, signal }) =>
        deviceAsks.ask(deviceId, 'config.test', { text: savedConfig(config) }, { signal }),
      );
      sockets.on('device:applyConfig', ({ request, signal, session, workgroup, address }) => {
        const { deviceId: device, config, over } = request;
        const by = { email: session.email, address };
        return configs.apply({ workgroup, device, by, signal }, savedConfig(config), over);
      });
    },
  };
}
