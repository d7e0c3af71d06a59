import { z } from 'zod';
import { devicesIssues } from '../devices/devices.errors.ts';

/** An address of a network, of whatever kind. */
export const address = z.string().max(80);
export const networkInterface = z.object({
  name: z.string().max(60),
  mac: z.string().max(40),
  isUp: z.boolean(),
  isInternal: z.boolean(),
  addresses: z.array(z.object({ address, prefix: z.number().int().min(0).max(128) })).max(64),
});
export type NetworkInterface = z.infer<typeof networkInterface>;

export const neighbour = z.object({ ip: address, mac: z.string().max(40), interface: z.string().max(60) });
export type Neighbour = z.infer<typeof neighbour>;

/** A port of the device itself that something listens on. */
export const openService = z.object({
  protocol: z.enum(['tcp', 'udp']),
  address,
  port: z.number().int().min(0).max(65_535),
  process: z.string().max(100).nullable(),
});
export type OpenService = z.infer<typeof openService>;

export const foundPort = z.object({
  ip: address,
  port: z.number().int().min(1).max(65_535),
  service: z.string().max(60).nullable(),
});
export type FoundPort = z.infer<typeof foundPort>;

export const foundModbus = z.object({
  ip: address,
  port: z.number().int(),
  unit: z.number().int().min(0).max(255),
  /** `sunspec` where its map begins with SunS. */
  protocol: z.enum(['modbus', 'sunspec']),
  /** Whether it gave a value, or only said what it does not have; absent in scans of older agents. */
  answer: z.enum(['value', 'exception']).optional(),
  /** What the device says that it is, where it says so. */
  manufacturer: z.string().max(100).nullable(),
  model: z.string().max(100).nullable(),
  serial: z.string().max(100).nullable(),
});
export type FoundModbus = z.infer<typeof foundModbus>;

/** Addresses to look at: one, a list, a range such as `192.168.1.10-40`, or a network such as `192.168.1.0/24`. */
export const scanTargets = z
  .string()
  .trim()
  .min(1)
  .max(1000)
  .regex(/^[0-9., /-]+$/, devicesIssues['issue.scan_addresses']);

/** Ports such as `22,80,500-510`. */
export const scanPorts = z
  .string()
  .trim()
  .min(1)
  .max(1000)
  .regex(/^[0-9, -]+$/, devicesIssues['issue.scan_ports']);
