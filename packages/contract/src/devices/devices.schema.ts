import { z } from 'zod';
import { generalIssues } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { arch } from '../workgroups/archs.ts';
import { workgroupName } from '../workgroups/workgroups.schema.ts';
import { deviceMeta } from './meta.schema.ts';
import { wentBack } from './went-back.ts';

/** None of what turns the direction of letters around: Arabic and Hebrew do without, and a name could read as another one. */
const ONE_DIRECTION = /^[^\u202a-\u202e\u2066-\u2069]*$/u;

export const deviceName = z
  .string()
  .trim()
  .min(1, 'A device needs a name.')
  .max(80)
  .regex(...ONE_LINE)
  .regex(ONE_DIRECTION, generalIssues['issue.one_line']);

/**
 * Facts about a device from which its health is judged (`devices.health.ts`); every one of them changes live.
 * Instants are epoch ms; null where nothing is known yet.
 */
export const deviceFacts = z.object({
  online: z.boolean(),
  /** When `online` last changed. */
  stateChangedAt: z.number().nullable(),
  /** Time of the newest event of any table in the store. */
  cloudLastDataAt: z.number().nullable(),
  /** Newest line that the agent read from any of its sources. */
  sourceLastDataAt: z.number().nullable(),
  /** Agent's clock minus the cloud's clock, s. */
  clockOffsetS: z.number().nullable(),
  /** Mean of the last 15 minutes, %. */
  cpuUsage: z.number().nullable(),
  /** °C. */
  cpuTemp: z.number().nullable(),
  /** %. */
  memUsage: z.number().nullable(),
  /** %. */
  diskUsage: z.number().nullable(),
  upTimeHours: z.number().nullable(),
  os: z.string().nullable(),
  /** Time of the newest black box record. */
  blackBoxAt: z.number().nullable(),
  /** Version of the agent. */
  version: z.string().nullable(),
  /** How often the agent has started, since it counts. */
  starts: z.number().nullable(),
  /** How often it ended without being asked to. */
  crashes: z.number().nullable(),
  /** Events captured on the device that the store does not have yet. */
  pendingEvents: z.number().nullable(),
  /** Since when the configuration on the device is not the desired one. */
  configDiffersSince: z.number().nullable(),
  /** Why the device runs its last good configuration in place of the present one; null where it does not. */
  fallbackError: z.string().nullable(),
  /** What the device has put back by itself, since no connection followed the change; null where the last one stayed. */
  wentBack: wentBack.nullable(),
  /** A cloud device that runs with the NAT gateway of its workgroup. */
  gnat: z.boolean(),
});
export type DeviceFacts = z.infer<typeof deviceFacts>;

/** Why somebody keeps a device out. */
export const quarantineReason = z
  .string()
  .trim()
  .max(200)
  .regex(...ONE_LINE);

/**
 * A device that is kept out: its certificate is on hold, so it cannot connect, and keeps what it measures until it is let in
 * again.
 */
export const quarantine = z.object({
  /** Epoch ms. */
  since: z.number(),
  /** E-mail address of who did it; null for a token without one. */
  by: z.string().nullable(),
  /** Empty where none was given. */
  reason: quarantineReason,
});
export type Quarantine = z.infer<typeof quarantine>;

/** One device of the list: who it is, and the facts of its health. */
export const deviceSummary = z.object({
  id: z.uuid(),
  name: z.string(),
  /** True for a cloud device, false for an edge device. */
  ced: z.boolean(),
  createdAt: z.number(),
  /** Expiry of the device's certificate. */
  notAfter: z.number().nullable(),
  /** Null for a device that may connect. */
  quarantine: quarantine.nullable(),
  facts: deviceFacts,
});
export type DeviceSummary = z.infer<typeof deviceSummary>;

/** All of a device that a choice among them needs. */
export const namedDevice = deviceSummary.pick({ id: true, name: true });
export type NamedDevice = z.infer<typeof namedDevice>;

export const device = deviceSummary.extend({
  arch: arch,
  meta: deviceMeta,
  /** Settings by key: `info` holds the metadata of the device (Latitude, Longitude, …) as texts. */
  settings: z.record(z.string(), z.unknown()),
  gnat: z.boolean(),
});
export type Device = z.infer<typeof device>;

/** Facts that the specification has a device tell by themselves. Source: specification 1, section 3; 2, section 3. */
const standing = z.object({
  online: z.boolean(),
  os: z.string().nullable(),
  version: z.string().nullable(),
  gnat: z.boolean(),
  /** It runs its last good configuration, since the present one cannot be used; `fallbackError` says why. */
  fallback: z.boolean(),
  fallbackError: z.string().nullable(),
});
export const standingOf = ({ online, os, version, gnat, fallbackError }: DeviceFacts) =>
  ({ online, os, version, gnat, fallback: fallbackError !== null, fallbackError }) satisfies z.infer<
    typeof standing
  >;

/** A device as an endpoint answers it. */
export const toldSummary = deviceSummary.extend(standing.shape);
export const toldDevice = device.extend(standing.shape);
export type ToldSummary = z.infer<typeof toldSummary>;
export type ToldDevice = z.infer<typeof toldDevice>;

export const newDevice = z.object({
  name: deviceName,
  arch: arch.default('amd64'),
  ced: z.boolean().default(false),
  /** Where a cloud device runs; one of the list `ced-clouds`. */
  cedCloudId: z.string().max(100).optional(),
  /** Without a certificate for now: a cloud device waits until somebody starts it. */
  nocert: z.boolean().default(false),
});

export const onDevice = z.object({ wg: workgroupName, device: z.uuid() });

/** The one-time token with which a machine may fetch its agent pack, and the command that does it. */
export const installOffer = z.object({
  deviceId: z.uuid(),
  /** Shell command to paste on the machine. */
  command: z.string(),
  expiresAt: z.number(),
});

export const certificateInfo = z.object({
  serial: z.string(),
  subject: z.string(),
  notBefore: z.number(),
  notAfter: z.number(),
  fingerprintSha256: z.string(),
  revokedAt: z.number().nullable(),
});

/** The newest value of one stream. `values` holds numbers, texts or null by field name. */
export const latestSource = z.object({
  table: z.string(),
  source: z.string(),
  eventAt: z.number(),
  values: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
});
export type LatestSource = z.infer<typeof latestSource>;
