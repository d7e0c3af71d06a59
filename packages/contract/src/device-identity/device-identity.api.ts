import { z } from 'zod';
import { can, canInPerson } from '../access/access.ts';
import { certificateInfo, deviceName, installOffer, onDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { arch } from '../workgroups/archs.ts';
import { workgroupName } from '../workgroups/workgroups.schema.ts';

/** Another device, where it is. */
export const devicePlace = z.object({ workgroupId: workgroupName, deviceId: z.uuid() });
export type DevicePlace = z.infer<typeof devicePlace>;

/**
 * How a device gets another certificate. `agentpack`: the agent is installed again, by a command that is good once;
 * `certpack`: as that, for the certificate alone, where an agent runs that cannot connect any more; `replace`: the connected
 * device makes a new key, and changes to it by itself.
 */
export const reissueAction = z.enum(['agentpack', 'certpack', 'replace']);

export const reissue = z.object({
  action: reissueAction.default('agentpack'),
  /** Of the pack; the device is of this kind from then on. */
  arch: arch.optional(),
});

export const reissued = z.discriminatedUnion('action', [
  installOffer.extend({ action: z.enum(['agentpack', 'certpack']) }),
  z.object({ action: z.literal('replace'), deviceId: z.uuid(), certificate: certificateInfo }),
]);
export type Reissued = z.infer<typeof reissued>;

export const newPlace = z.object({
  workgroupId: workgroupName,
  /** In the other workgroup; what it is called here where this is left out. */
  name: deviceName.optional(),
});

const identity = { ...canInPerson('manageDevices'), unbound: true, fresh: true } as const;

export const deviceIdentityApi = {
  reissue: {
    method: 'POST',
    url: '/devices/:wg/:device/reissue',
    access: { ...can('manageDevices'), fresh: true },
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
