import { z } from 'zod';
import { onDevice } from '../devices/devices.schema.ts';
import { tunnelsIssues } from './tunnels.errors.ts';

/** The longest that a tunnel stays open, how many one device has, and how many connections run through one at a time. */
export const TUNNEL_LIMITS = {
  sessionMs: 60 * 60_000,
  attachMs: 15 * 60_000,
  open: 10,
  connections: 40,
} as const;

/** A connection through a tunnel begins as one to the cloud that is taken over by this name. */
export const TUNNEL_PROTOCOL = 'albedo-tunnel';

/** A name or an address in the network of the device. */
export const tunnelHost = z
  .string()
  .trim()
  .toLowerCase()
  .min(1)
  .max(253)
  .regex(/^[a-z0-9_.:-]+$/, tunnelsIssues['issue.tunnel_host']);

/** `tcp` for a program on the machine of the person, `http` and `https` for a page in the browser. */
export const tunnelKind = z.enum(['tcp', 'http', 'https']);
export type TunnelKind = z.infer<typeof tunnelKind>;

/** Why a tunnel ended. */
export const tunnelEnd = z.enum([
  /** Somebody closed it. */
  'closed',
  'time',
  /** Nothing connected through it in time. */
  'unattached',
  /** Remote access was switched off in the workgroup. */
  'switched_off',
  /** Whoever opened it may not any more. */
  'rights',
]);
export type TunnelEnd = z.infer<typeof tunnelEnd>;

export const newTunnel = z.object({
  kind: tunnelKind.default('tcp'),
  /** 127.0.0.1 is the device itself. */
  host: tunnelHost.default('127.0.0.1'),
  port: z.number().int().min(1).max(65_535),
});
export type NewTunnel = z.output<typeof newTunnel>;

/** One tunnel, over or not. Instants are epoch ms. */
export const tunnel = z.object({
  id: z.uuid(),
  deviceId: z.uuid(),
  kind: tunnelKind,
  host: z.string(),
  port: z.number(),
  by: z.string(),
  openedAt: z.number(),
  endsAt: z.number(),
  endedAt: z.number().nullable(),
  end: tunnelEnd.nullable(),
  /** Connections so far, and the bytes that they carried to the device and from it. */
  connections: z.number(),
  bytesDown: z.number(),
  bytesUp: z.number(),
});
export type Tunnel = z.infer<typeof tunnel>;

export const openedTunnel = z.object({
  tunnel,
  /** What the client shows; for a page it is part of the address. Told this once. */
  token: z.string(),
  /** Address of the page, on a host name of its own; null for `tcp`. */
  url: z.string().nullable(),
});
export type OpenedTunnel = z.infer<typeof openedTunnel>;

export const onTunnel = onDevice.extend({ tunnel: z.uuid() });
