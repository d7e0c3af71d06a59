import { z } from 'zod';
import { ONE_LINE } from '../http/one-line.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';

/** Devices that one group may name; for more a metadata value is better. */
export const GROUP_DEVICES = 20_000;

const deviceIds = z.array(z.uuid().toLowerCase()).max(GROUP_DEVICES);

/** Some sources of a device; `sources` is null where all of them are allowed. */
const deviceSources = z.object({
  device: z.uuid().toLowerCase(),
  sources: z.array(z.string().min(1).max(400)).max(1000).nullable().default(null),
});

/**
 * Which devices belong to a group.
 *
 * `IN`: these. `NOT IN`: all but these; new ones join by themselves. `META`: those whose general information says so;
 * a device without the field fits `!=`. `SRC`: these, each with all or some of its sources.
 */
export const composition = z.discriminatedUnion('type', [
  z.object({ type: z.literal('IN'), devices: deviceIds }),
  z.object({ type: z.literal('NOT IN'), devices: deviceIds }),
  z.object({
    type: z.literal('META'),
    field: z.string().trim().min(1, 'Required').max(200),
    operator: z.enum(['=', '!=']),
    value: z.string().trim().min(1, 'Required').max(1000),
  }),
  z.object({ type: z.literal('SRC'), devices: z.array(deviceSources).max(GROUP_DEVICES) }),
]);
export type Composition = z.infer<typeof composition>;
export type CompositionType = Composition['type'];

export const groupName = z
  .string()
  .trim()
  .min(1, 'Required')
  .max(80)
  .regex(...ONE_LINE);

export const newDeviceGroup = z.object({ name: groupName, composition });
export type NewDeviceGroup = z.output<typeof newDeviceGroup>;

/** A group, with the number of its devices now and of the members, invitations and API tokens in it. */
export const deviceGroup = newDeviceGroup.extend({
  _id: z.uuid(),
  name: z.string(),
  devices: z.number().int(),
  members: z.number().int(),
  invites: z.number().int(),
  tokens: z.number().int(),
});
export type DeviceGroup = z.infer<typeof deviceGroup>;

export const onDeviceGroup = inWorkgroup.extend({ devGroup: z.uuid() });

/** A field of the general information of devices, and the values that devices have there. */
export const metaField = z.object({ field: z.string(), values: z.array(z.string()) });
export type MetaField = z.infer<typeof metaField>;
