import { deviceConfigApi } from '@albedo/contract/device-config/device-config.api';
import type { Audit } from '../audit/audit.service.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import { savedConfig } from './saved-config.ts';

/** The configuration of devices: read, tested and applied on the device itself. */
export function openDeviceConfig(of: {
  deviceAsks: DeviceAsks;
  audit: Audit;
  sockets: Sockets;
}): Feature<null> {
  const { deviceAsks, audit, sockets } = of;
  return {
    name: 'device-config',
    service: null,
    routes: (app) =>
      bind(app, deviceConfigApi, {
        read: ({ params: { device }, signal }) => deviceAsks.ask(device, 'config.read', {}, { signal }),
      }),
    sockets: () => {
      sockets.on('device:testConfig', ({ request: { deviceId, config }, signal }) =>
        deviceAsks.ask(deviceId, 'config.test', { text: savedConfig(config) }, { signal }),
      );
      sockets.on('device:applyConfig', async ({ request, signal, session, workgroup, address }) => {
        const { deviceId: device, config, over } = request;
        const entry = { workgroup, device, at: Date.now(), controller: 'device_config', entity: 'config' };
        const by = { by: session.email, address };
        try {
          const input = { text: savedConfig(config), over };
          const applied = await deviceAsks.ask(device, 'config.apply', input, { signal });
          const status = applied.isApplied ? 'success' : 'failed';
          const values = { oldValue: over, newValue: applied.config.hash };
          audit.record({ ...entry, ...by, ...values, action: 'update', attribute: 'sha256', status });
          return applied;
        } catch (error) {
          audit.record({ ...entry, ...by, action: 'update', status: 'failed' });
          throw error;
        }
      });
    },
  };
}
