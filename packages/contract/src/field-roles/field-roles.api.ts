import { z } from 'zod';
import { can, member } from '../access/access.ts';
import { onDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { newFieldRole, sourceRoles } from './field-roles.schema.ts';

export const fieldRolesApi = {
  list: {
    method: 'GET',
    url: '/devices/:wg/:device/fieldRoles',
    access: member,
    summary: 'What the fields of each source of a device mean: as guessed, as corrected, and what counts.',
    schema: { params: onDevice, response: { 200: z.array(sourceRoles) } },
  },
  set: {
    method: 'PUT',
    url: '/devices/:wg/:device/fieldRoles',
    access: can('manageDevices'),
    summary: 'Corrects what one field of a source means, or takes the correction back.',
    example: {
      body: { table: 'solar', source: 'inv-01', field: 'Output', choice: { role: 'acPower', units: 'kW' } },
    },
    schema: { params: onDevice, body: newFieldRole, response: { 200: sourceRoles } },
  },
} as const satisfies Api;
