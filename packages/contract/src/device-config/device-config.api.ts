import { can } from '../access/access.ts';
import { onDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { deviceConfig } from './device-config.schema.ts';

export const deviceConfigApi = {
  read: {
    method: 'GET',
    url: '/devices/:wg/:device/config',
    access: can('controlDevices'),
    summary: 'The configuration as it stands on the device now, with what is wrong with it.',
    schema: { params: onDevice, response: { 200: deviceConfig } },
  },
} as const satisfies Api;
