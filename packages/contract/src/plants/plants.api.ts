import { member } from '../access/access.ts';
import { onDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { plantDetail, plantList } from './plants.schema.ts';

export const plantsApi = {
  list: {
    method: 'GET',
    url: '/plants/:wg',
    access: member,
    summary:
      'The plants among the devices of the workgroup with their power, their energy today and what is wrong.',
    schema: { params: inWorkgroup, response: { 200: plantList } },
  },
  get: {
    method: 'GET',
    url: '/devices/:wg/:device/plant',
    access: member,
    summary:
      'What kind of thing a device watches; of a plant its sources with their roles, its day and its findings.',
    schema: { params: onDevice, response: { 200: plantDetail } },
  },
} as const satisfies Api;
