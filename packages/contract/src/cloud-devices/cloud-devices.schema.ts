import { z } from 'zod';
import { onDevice } from '../devices/devices.schema.ts';
import { cloudDevicesIssues } from './cloud-devices.errors.ts';

/** A place in which the server runs cloud devices. */
export const cedCloud = z.object({ id: z.string(), name: z.string() });
export type CedCloud = z.output<typeof cedCloud>;

/** The server itself. */
export const OWN_CLOUD = 'server';

/** What one cloud device may use. */
export const CLOUD_DEVICE_LIMITS = {
  /** Resident memory of its process. */
  memoryMb: 256,
  /** Its folder as a whole. */
  diskMb: 512,
  openFiles: 512,
} as const;
export const CLOUD_DEVICES_QUOTA = 20;
export const NETWORK_SECRETS_LIMIT = 40;

/**
 * `starting`: its process was begun and has not reported in; `waiting`: it ended and begins again after a pause;
 * `stopped`: as somebody wanted.
 */
export const CLOUD_DEVICE_STATES = ['starting', 'running', 'waiting', 'stopped'] as const;

/** How a cloud device is. Instants are epoch ms. */
export const cloudDevice = z.object({
  cloud: cedCloud,
  state: z.enum(CLOUD_DEVICE_STATES),
  since: z.number(),
  /** How often its process ended without being asked to. */
  restarts: z.number().int(),
  /** Why it ended last. */
  lastEnd: z.string().nullable(),
  memoryMb: z.number().nullable(),
  diskMb: z.number().nullable(),
  limits: z.object({ memoryMb: z.number(), diskMb: z.number(), openFiles: z.number() }),
});
export type CloudDevice = z.output<typeof cloudDevice>;

export const cloudDeviceWish = z.object({ action: z.enum(['start', 'stop', 'restart']) });

const secretFact = z.object({ name: z.string(), bytes: z.number().int(), changedAt: z.number() });

/** What the network of a cloud device needs: names only; what is in them never leaves the server. */
export const networkSettings = z.object({
  files: z.array(secretFact),
  environment: z.array(secretFact),
});
export type NetworkSettings = z.output<typeof networkSettings>;

const fileName = z
  .string()
  .min(1)
  .max(80)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, cloudDevicesIssues['issue.network_file']);
const variableName = z
  .string()
  .min(1)
  .max(60)
  .regex(/^[A-Z][A-Z0-9_]*$/, cloudDevicesIssues['issue.network_variable']);

export const onNetworkFile = onDevice.extend({ file: fileName });
export const onNetworkVariable = onDevice.extend({ variable: variableName });

/** An address, or a network of at most 256 addresses of IPv4 or one network of IPv6. */
const outsideNetwork = z
  .string()
  .trim()
  .regex(
    /^(?:\d{1,3}(?:\.\d{1,3}){3}(?:\/(?:2[4-9]|3[0-2]))?|[0-9a-f:]{2,39}(?:\/(?:6[4-9]|[7-9]\d|1[01]\d|12[0-8]))?)$/i,
    cloudDevicesIssues['issue.outside_network'],
  );

/** What cloud devices of a workgroup reach through its NAT gateway. */
export const natAccess = z.object({ allow: z.array(outsideNetwork).max(50).default([]) });

export const newNatGateway = natAccess.extend({ cedCloudId: z.string().max(100).default(OWN_CLOUD) });

/** The NAT gateway of a workgroup: the way of its cloud devices to machines in the internet. */
export const natGateway = z.object({
  cloud: cedCloud,
  allow: z.array(z.string()),
  by: z.string(),
  createdAt: z.number(),
});
export type NatGateway = z.output<typeof natGateway>;

/** A file of up to 64 kB, as base64. */
export const networkFile = z.object({ content: z.base64().max(88_000) });
export const networkVariable = z.object({
  value: z
    .string()
    .max(4000)
    .refine((text) => !text.includes('\0')),
});
