import { z } from 'zod';
import { certificateInfo, deviceName, installOffer } from '../devices/devices.schema.ts';
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
