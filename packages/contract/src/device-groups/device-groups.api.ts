import { z } from 'zod';
import { type Access, can } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  composition,
  deviceGroup,
  metaField,
  newDeviceGroup,
  onDeviceGroup,
} from './device-groups.schema.ts';

const mayRead = can('coordinate', 'manageAccess', 'manageDevices');
const mayChange: Access = { ...can('manageAccess'), unbound: true };

export const deviceGroupsApi = {
  list: {
    method: 'GET',
    url: '/orgs/:wg/device-groups',
    access: mayRead,
    summary: 'The device groups by name; who is bound to one sees that one alone.',
    schema: { params: inWorkgroup, response: { 200: z.array(deviceGroup) } },
  },
  create: {
    method: 'POST',
    url: '/orgs/:wg/device-groups',
    access: mayChange,
    summary: 'Makes a device group.',
    example: { body: { name: 'North', composition: { type: 'NOT IN', devices: [] } } },
    schema: { params: inWorkgroup, body: newDeviceGroup, response: { 200: deviceGroup } },
  },
  update: {
    method: 'PUT',
    url: '/orgs/:wg/device-groups/:devGroup',
    access: mayChange,
    summary: 'Changes a device group; it counts at once for everybody who is bound to it.',
    example: { body: { name: 'North', composition: { type: 'NOT IN', devices: [] } } },
    schema: { params: onDeviceGroup, body: newDeviceGroup, response: { 200: deviceGroup } },
  },
  remove: {
    method: 'DELETE',
    url: '/orgs/:wg/device-groups/:devGroup',
    access: mayChange,
    summary: 'Deletes a device group that nobody is bound to.',
    schema: { params: onDeviceGroup, response: { 200: z.object({}) } },
  },
  preview: {
    method: 'POST',
    url: '/orgs/:wg/device-groups/preview',
    access: mayRead,
    summary: 'The ids of the devices that a group composed so would have now, by name.',
    example: { body: { type: 'NOT IN', devices: [] } },
    schema: { params: inWorkgroup, body: composition, response: { 200: z.array(z.uuid()) } },
  },
  fields: {
    method: 'GET',
    url: '/orgs/:wg/device-groups/fields',
    access: mayRead,
    summary: 'The fields of the general information of devices, with the values that devices have there.',
    schema: { params: inWorkgroup, response: { 200: z.array(metaField) } },
  },
} as const satisfies Api;
