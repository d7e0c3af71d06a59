import { z } from 'zod';
import { can, member } from '../access/access.ts';
import { CONFIG_LENGTH } from '../device-config/device-config.schema.ts';
import { onDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { connectionQuality, deviceTwin } from './twins.schema.ts';

export const twinsApi = {
  get: {
    method: 'GET',
    url: '/devices/:wg/:device/twin',
    access: can('controlDevices'),
    summary:
      'The configuration that a device should have and the one that it reported last, and since when they differ.',
    schema: { params: onDevice, response: { 200: deviceTwin } },
  },
  setDesired: {
    method: 'PUT',
    url: '/devices/:wg/:device/twin',
    access: can('controlDevices'),
    summary: 'Says what configuration a device should have. Nothing is sent to the device.',
    example: { body: { text: 'machine: true\n' } },
    schema: {
      params: onDevice,
      body: z.object({ text: z.string().max(CONFIG_LENGTH) }),
      response: { 200: deviceTwin },
    },
  },
  connection: {
    method: 'GET',
    url: '/devices/:wg/:device/connection',
    access: member,
    summary: 'How often the connection of a device was lost in the last seven days.',
    schema: { params: onDevice, response: { 200: connectionQuality } },
  },
} as const satisfies Api;
