import { can, canInPerson } from '../access/access.ts';
import { certificateInfo, onDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { devicePlace, newPlace, reissue, reissued } from './device-identity.schema.ts';

const identity = { ...canInPerson('manageDevices'), unbound: true, fresh: true } as const;

export const deviceIdentityApi = {
  reissue: {
    method: 'POST',
    url: '/devices/:wg/:device/reissue',
    access: can('manageDevices'),
    summary:
      'Another certificate for a device, by a one-time command or by the connected device itself; the old one is revoked once the new one is there.',
    example: { body: { action: 'certpack' } },
    schema: { params: onDevice, body: reissue.nullish(), response: { 200: reissued } },
  },
  move: {
    method: 'POST',
    url: '/devices/:wg/:device/moveWorkgroup',
    access: identity,
    summary: 'Moves a connected device to another workgroup, as a new device there; its history stays here.',
    example: { body: { workgroupId: 'south' } },
    schema: { params: onDevice, body: newPlace, response: { 200: devicePlace } },
  },
  takeOver: {
    method: 'POST',
    url: '/devices/:wg/:device/identity',
    access: identity,
    summary: 'Makes a connected device go on as another one that is gone, whose machine it replaces.',
    example: { body: { workgroupId: 'main', deviceId: '6f9619ff-8b86-4d01-b42d-00c04fc964ff' } },
    schema: { params: onDevice, body: devicePlace, response: { 200: certificateInfo } },
  },
} as const satisfies Api;
