import { z } from 'zod';
import { can, member } from '../access/access.ts';
import type { Screens } from '../access/screens.ts';
import { onDevice, toldDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { metadataInUse, sourceInfo, sourceName } from './metadata.schema.ts';

export const metadataApi = {
  inUse: {
    method: 'GET',
    url: '/devices/:wg/device/metadata',
    access: member,
    summary: 'The fields that the metadata of devices and of their sources have, with how many have each.',
    schema: { params: inWorkgroup, response: { 200: metadataInUse } },
  },
  setSource: {
    method: 'PUT',
    url: '/devices/:wg/:device/metadata',
    access: can('manageDevices'),
    summary: 'Says what the metadata of one source is; without fields it has none.',
    example: { body: { source: 'inverter/1', info: { kWp: '61.6 kWp' } } },
    schema: {
      params: onDevice,
      body: z.object({ source: sourceName, info: sourceInfo }),
      response: { 200: toldDevice },
    },
  },
} as const satisfies Api;

export const metadataScreens = {
  '/admin/workgroup/metadata': {
    ...can('coordinate'),
    unbound: true,
    needs: ['GET /orgs', 'PUT /orgs/:wg/settings/:key', 'GET /devices/:wg/device/metadata'],
  },
} as const satisfies Screens;
