import { z } from 'zod';
import { can, enrolment, member, signedIn } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { flag } from '../http/query.ts';
import { isReservedName } from '../http/reserved-names.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  certificateInfo,
  deviceName,
  latestSource,
  namedDevice,
  newDevice,
  onDevice,
  quarantineReason,
  toldDevice,
  toldSummary,
} from './devices.schema.ts';

const settingName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9]{0,39}$/)
  .refine((name) => !isReservedName(name), 'This name is reserved.');

export const devicesApi = {
  list: {
    method: 'GET',
    url: '/devices/:wg',
    access: member,
    summary:
      'The devices of the workgroup with the facts of their health, by name; with nameonly=true only their ids and names.',
    example: { query: { nameonly: 'true' } },
    schema: {
      params: inWorkgroup,
      querystring: z.object({ nameonly: flag }),
      response: { 200: z.union([z.array(toldSummary), z.array(namedDevice)]) },
    },
  },
  create: {
    method: 'POST',
    url: '/devices/:wg',
    access: { ...can('manageDevices'), unbound: true },
    summary: 'Adds a device; its key and certificate are made with its first agent pack.',
    example: { body: { name: 'Roof east' } },
    schema: { params: inWorkgroup, body: newDevice, response: { 200: toldDevice } },
  },
  get: {
    method: 'GET',
    url: '/devices/:wg/:device',
    access: member,
    summary: 'One device with its meta and settings.',
    schema: { params: onDevice, response: { 200: toldDevice } },
  },
  update: {
    method: 'PUT',
    url: '/devices/:wg/:device',
    access: { ...can('manageDevices'), unbound: true },
    summary: 'Renames a device.',
    example: { body: { name: 'Roof west' } },
    schema: { params: onDevice, body: z.object({ name: deviceName }), response: { 200: toldDevice } },
  },
  remove: {
    method: 'DELETE',
    url: '/devices/:wg/:device',
    access: can('manageDevices'),
    summary: 'Deletes a device and revokes its certificate at once; its stored events stay.',
    schema: { params: onDevice, response: { 200: z.object({}) } },
  },
  setSetting: {
    method: 'PUT',
    url: '/devices/:wg/:device/settings/:key',
    access: can('manageDevices'),
    summary: 'Stores one setting of a device, such as its general information.',
    example: { body: { value: { Site: 'Hill' } } },
    schema: {
      params: onDevice.extend({ key: settingName }),
      body: z.object({
        value: z.unknown(),
        /** What the value was made from: only what differs is changed then, beside what others changed meanwhile. */
        over: z.record(z.string(), z.unknown()).optional(),
      }),
      response: { 200: toldDevice },
    },
  },
  latest: {
    method: 'GET',
    url: '/devices/:wg/:device/sources',
    access: member,
    summary: 'The newest values of every source of a device.',
    schema: { params: onDevice, response: { 200: z.array(latestSource) } },
  },
  certificate: {
    method: 'GET',
    url: '/devices/:wg/:device/certificateInfo',
    access: member,
    summary: 'The certificate that the device speaks with; null before its first agent pack.',
    schema: { params: onDevice, response: { 200: certificateInfo.nullable() } },
  },
  revoke: {
    method: 'POST',
    url: '/devices/:wg/:device/revoke',
    access: can('manageDevices'),
    summary: 'Revokes the certificate of the device and ends its connection at once.',
    schema: { params: onDevice, response: { 200: certificateInfo.nullable() } },
  },
  quarantine: {
    method: 'PUT',
    url: '/devices/:wg/:device/quarantine',
    access: can('manageDevices'),
    summary:
      'Cuts a device off at once and lets it connect no more until it is released; it keeps its certificate and what it measures.',
    example: { body: { reason: 'Stolen from the site' } },
    schema: {
      params: onDevice,
      body: z.object({ reason: quarantineReason.default('') }).default({ reason: '' }),
      response: { 200: toldDevice },
    },
  },
  release: {
    method: 'DELETE',
    url: '/devices/:wg/:device/quarantine',
    access: can('manageDevices'),
    summary: 'Lets a device in quarantine connect again; it sends what it has measured meanwhile.',
    schema: { params: onDevice, response: { 200: toldDevice } },
  },
  downloadPack: {
    method: 'POST',
    url: '/devices/:wg/:device/agentPack',
    access: can('manageDevices'),
    summary: 'Issues a new certificate and downloads the agent pack; the old certificate is revoked.',
    schema: { params: onDevice },
    produces: 'application/gzip',
  },
  pack: {
    method: 'GET',
    url: '/agent/pack',
    access: enrolment,
    summary: 'The agent pack of the device that the one-time token was made for, or its keys alone.',
    schema: { querystring: z.object({ part: z.enum(['all', 'keys']).default('all') }) },
    produces: 'application/gzip',
    ratePerMinute: 30,
  },
  agentVersion: {
    method: 'GET',
    url: '/agent/version',
    access: signedIn,
    summary: 'Version of the agent that new packs hold.',
    schema: { response: { 200: z.object({ version: z.string() }) } },
  },
} as const satisfies Api;
