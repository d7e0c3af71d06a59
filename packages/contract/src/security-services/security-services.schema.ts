import { z } from 'zod';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';

/** Where is looked: at the public address of a site from outside, or in the network that a device is in. */
export const securityTask = z.enum(['external', 'internal']);
export type SecurityTask = z.infer<typeof securityTask>;

/** Every workgroup has one of each kind, with the word as its id. */
export const securityTaskEntry = z.object({ _id: securityTask, task: securityTask });

/** How a scan ended; only a complete one may call something gone. */
export const scanOutcome = z.enum(['complete', 'partial', 'failed']);
export type ScanOutcome = z.infer<typeof scanOutcome>;

/** Why a scan failed or is partial. */
export const scanReason = z.enum([
  'offline',
  'address_unknown',
  'address_not_public',
  'address_changed',
  'no_network',
  'network_too_large',
  'not_reachable',
  'lost',
  'refused',
  'agent_old',
  'failed',
]);
export type ScanReason = z.infer<typeof scanReason>;

/** One scan that is over. Instants are epoch ms. */
export const securityScan = z.object({
  _id: z.uuid(),
  startedAt: z.number(),
  endedAt: z.number(),
  outcome: scanOutcome,
  reason: scanReason.nullable(),
  /** What was looked at: the public address, or networks such as `192.168.1.0/24`. */
  target: z.string(),
  /** E-mail address of who asked for it; null for the weekly one. */
  by: z.string().nullable(),
  /** What it found, and what it missed for the first time. */
  new: z.number().int(),
  changed: z.number().int(),
  known: z.number().int(),
  gone: z.number().int(),
});
export type SecurityScan = z.infer<typeof securityScan>;

/** A scheduled one waits at the end of the queue. */
export const securityJobState = z.enum(['idle', 'scheduled', 'running']);
export type SecurityJobState = z.infer<typeof securityJobState>;

/** The scans of one kind at one device. */
export const securityJob = z.object({
  _id: z.uuid(),
  task: securityTask,
  deviceId: z.uuid(),
  deviceName: z.string(),
  /** The jobs of the same device, by task; null where there is none yet. */
  jobIds: z.object({ external: z.uuid().nullable(), internal: z.uuid().nullable() }),
  /** Scanned every Saturday at 00:00 UTC. */
  enabled: z.boolean(),
  state: securityJobState,
  /** When the next weekly scan begins, epoch ms; null where none is wanted. */
  nextAt: z.number().nullable(),
  lastScan: securityScan.nullable(),
  /** What is there and nobody has accepted. */
  unaccepted: z.number().int(),
});
export type SecurityJob = z.infer<typeof securityJob>;

/** Since the scan before: new, another one, as it was, or not there any more. */
export const findingState = z.enum(['new', 'changed', 'known', 'gone']);
export type FindingState = z.infer<typeof findingState>;

/** A host of the network, by its MAC address, or an open port, by its number. Instants are epoch ms. */
export const securityFinding = z.object({
  key: z.string(),
  state: findingState,
  /** Who made the host or what it says that it is, or what is usually behind the port; empty where nobody knows. */
  description: z.string(),
  /** Addresses of the host; empty for ports. */
  addresses: z.array(z.string()),
  /** Addresses that a changed host had before. */
  before: z.array(z.string()).nullable(),
  knownSince: z.number(),
  lastSeenAt: z.number(),
  goneAt: z.number().nullable(),
  accepted: z.object({ note: z.string(), by: z.string(), at: z.number() }).nullable(),
});
export type SecurityFinding = z.infer<typeof securityFinding>;

export const securityResult = z.object({
  job: securityJob,
  findings: z.array(securityFinding),
  /** The newest 50, newest first. */
  scans: z.array(securityScan),
});
export type SecurityResult = z.infer<typeof securityResult>;

/** What one call concerns at most. */
export const MOST_AT_ONCE = 500;

export const inTask = inWorkgroup.extend({ task: securityTask });
export const onSecurityJob = inTask.extend({ securityJob: z.uuid() });

export const newTask = z.strictObject({ task: securityTask });
export const newJobs = z.strictObject({
  devices: z.array(z.uuid()).min(1).max(MOST_AT_ONCE),
  enabled: z.boolean().default(true),
});
export const jobChange = z.strictObject({ enabled: z.boolean() });
export const jobRun = z.strictObject({ jobIds: z.array(z.uuid()).min(1).max(MOST_AT_ONCE) });
export const jobsScheduled = z.object({
  message: z.literal('Scan scheduled'),
  /** Those that wait or run now. */
  jobIds: z.array(z.uuid()),
});

/** Accepts findings, with the reason; a note of null takes that back. */
export const acceptance = z.strictObject({
  keys: z.array(z.string().min(1).max(40)).min(1).max(MOST_AT_ONCE),
  note: z.string().trim().min(1).max(500).nullable(),
});
