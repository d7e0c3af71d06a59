import { z } from 'zod';
import { commandValues } from '../device-commands/device-commands.schema.ts';
import { CONFIG_LENGTH } from '../device-config/device-config.schema.ts';
import { pluginName, pluginVersion } from '../plugins/plugins.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';

/** Devices of one bulk action at most. */
export const BULK_DEVICES = 10_000;

const percent = z.number().min(0).max(100);

/**
 * When a bulk action stops by itself: what the devices of a wave, or all so far, do worse than the devices that were not
 * touched. Null leaves a figure out.
 */
export const bulkGates = z.object({
  /** Devices of a wave on which it failed, %. */
  failedPercent: percent.nullable().default(20),
  /** Crashes of the agent for each device, more than on the rest. */
  crashes: z.number().min(0).max(1000).nullable().default(0.5),
  /** Devices that sent data before and do not now, in percentage points more than of the rest. */
  stalePercent: percent.nullable().default(20),
  /** Power lost since the wave began, in percentage points more than the rest. */
  energyPercent: percent.nullable().default(10),
});
export type BulkGates = z.output<typeof bulkGates>;

export const bulkPlan = z.object({
  /** Devices of the first wave, and of each later one. */
  firstWave: z.number().int().min(1).max(BULK_DEVICES).default(BULK_DEVICES),
  waveSize: z.number().int().min(1).max(BULK_DEVICES).default(BULK_DEVICES),
  /** How long a wave is watched before the next one begins. */
  soakMinutes: z.number().int().min(0).max(10_080).default(0),
  /** How long a device that is offline is waited for; 0: not at all. */
  queueHours: z.number().int().min(0).max(2160).default(168),
  /** Null: it goes on whatever comes of it. */
  gates: bulkGates.nullable().default(null),
});
export type BulkPlan = z.output<typeof bulkPlan>;

/** One thing for many devices. */
export const bulkWork = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('upgrade') }),
  z.object({ kind: z.literal('command'), command: z.uuid(), values: commandValues }),
  /**
   * A part of a configuration, YAML: its keys take the place of those on the device, entries of captures those with the
   * same table and source; a key that is null goes.
   */
  z.object({
    kind: z.literal('config'),
    part: z.string().trim().min(1, 'Required').max(CONFIG_LENGTH),
  }),
  /** Metadata by field; null takes a field away. */
  z.object({
    kind: z.literal('labels'),
    labels: z
      .record(z.string().trim().min(1).max(200), z.string().max(1000).nullable())
      .refine((labels) => Object.keys(labels).length > 0, 'Required'),
  }),
  z.object({ kind: z.literal('groups'), group: z.uuid(), isIn: z.boolean() }),
  /** Installs a version of a plugin, null for the newest one, in place of any other; or removes it with its services. */
  z.object({
    kind: z.literal('plugins'),
    plugin: pluginName,
    version: pluginVersion.nullable().default(null),
    isInstalled: z.boolean(),
  }),
  /** Another certificate, whose key is made on the device; with a limit for those alone that end so soon, or have ended. */
  z.object({
    kind: z.literal('certificates'),
    endsWithinDays: z.number().int().min(1).max(3650).nullable().default(null),
  }),
]);
export type BulkWork = z.output<typeof bulkWork>;
export type BulkKindName = BulkWork['kind'];

export const bulkState = z.enum(['running', 'paused', 'stopped', 'done', 'cancelled']);
export type BulkState = z.infer<typeof bulkState>;

/** `queued`: the device is offline, and is waited for. */
export const bulkTargetState = z.enum(['waiting', 'queued', 'working', 'done', 'failed', 'cancelled']);
export type BulkTargetState = z.infer<typeof bulkTargetState>;

/** Why it stopped by itself: the figure of the devices that were touched and that of the rest. */
export const bulkStop = z.object({
  gate: z.enum(['failed', 'crashes', 'stale', 'energy']),
  wave: z.number().int(),
  touched: z.number(),
  rest: z.number(),
  limit: z.number(),
});
export type BulkStop = z.infer<typeof bulkStop>;

/** Times are epoch ms. */
export const bulkAction = z.object({
  _id: z.uuid(),
  /** What is done, as people call it, such as the name of a command. */
  about: z.string(),
  work: bulkWork,
  plan: bulkPlan,
  state: bulkState,
  stop: bulkStop.nullable(),
  /** The wave that is under way, from 1. */
  wave: z.number().int(),
  waves: z.number().int(),
  counts: z.record(bulkTargetState, z.number().int()),
  by: z.string(),
  createdAt: z.number(),
  endedAt: z.number().nullable(),
});
export type BulkAction = z.infer<typeof bulkAction>;

export const bulkTarget = z.object({
  deviceId: z.uuid(),
  wave: z.number().int(),
  state: bulkTargetState,
  /** What came of it, or why nothing did. */
  message: z.string().nullable(),
  endedAt: z.number().nullable(),
});
export type BulkTarget = z.infer<typeof bulkTarget>;

/** What would change on one device; both texts are the same where nothing would. */
export const bulkPreview = z.object({
  deviceId: z.uuid(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Why it cannot be done there; `device.offline` for one that has to be asked and is away. */
  problem: z.object({ error: z.string(), message: z.string() }).nullable(),
});
export type BulkPreview = z.infer<typeof bulkPreview>;

/** Devices that a dry run looks at. */
export const PREVIEW_DEVICES = 200;

/** What every bulk action takes. */
export const bulkOrder = z.object({
  devices: z.array(z.uuid()).min(1, 'Required').max(BULK_DEVICES),
  plan: bulkPlan.prefault({}),
  /** Nothing is changed; the answer says what would be, for the first devices. */
  isDryRun: z.boolean().default(false),
});

export const bulkBegun = z.object({ action: bulkAction.nullable(), preview: z.array(bulkPreview) });
export type BulkBegun = z.infer<typeof bulkBegun>;

export const onBulkAction = inWorkgroup.extend({ bulkAction: z.uuid() });
