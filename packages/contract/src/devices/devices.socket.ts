import { z } from 'zod';
import { commands, member } from '../access/access.ts';
import { errorsOf } from '../http/errors.ts';
import { SOCKET_TIMEOUT_MS, type SocketAction, type SocketEvents } from '../sockets/action.ts';
import { devicesErrors } from './devices.errors.ts';
import { deviceFacts, deviceSummary, latestSource } from './devices.schema.ts';
import { deviceMeta } from './meta.schema.ts';

const ownError = errorsOf(devicesErrors);
const deviceId = z.uuid();

/** As `schema`; where there is nothing, in the words of the specification. Source: specification 2, section 5. */
const demanded = <T extends z.ZodType>(schema: T, missing: keyof typeof devicesErrors) =>
  z
    .unknown()
    .superRefine((value, context) => {
      if (value === undefined || value === null || value === '') context.addIssue(ownError([], missing));
    })
    .pipe(schema);

export const feedSample = z.object({
  feedId: z.string(),
  device: z.uuid(),
  table: z.string(),
  source: z.string(),
  /** The only one that is fed; null where all of them are. */
  field: z.string().nullable(),
  /** `[event_time, { field: value }]`; empty in the reply that only confirms the feed. */
  events: z.array(z.tuple([z.number(), z.record(z.string(), z.union([z.number(), z.string(), z.null()]))])),
});

/** Streams that one call may feed, and that one socket may have open. */
export const MOST_FEEDS = 50;

export const bulkFeedSample = z.object({
  feedId: z.string(),
  /** Empty in the reply that only confirms the feed. */
  samples: z.array(
    z.object({ deviceId, table: z.string(), source: z.string(), events: feedSample.shape.events }),
  ),
});

export const commandResult = z.object({
  correlationId: z.string(),
  stdout: z.string(),
  stderr: z.string(),
  returnCode: z.number().int().nullable(),
  error: z.string().nullable(),
  killed: z.boolean(),
  pid: z.number().int().nullable(),
  /** Files of the device with all of an output that was cut, to be fetched as any file. */
  stdoutFile: z.string().nullish(),
  stderrFile: z.string().nullish(),
});

export const devicesActions = {
  'device:watch': {
    access: member,
    summary: 'From now on tells the newest values of one device as they arrive (event device:latest).',
    request: z.object({ deviceId, stop: z.boolean().default(false) }),
    reply: z.object({}),
  },
  'device:feed': {
    access: member,
    summary:
      'Starts a live feed of one source at its rate of arrival; replies carry samples until it is stopped.',
    request: z.object({
      deviceId,
      table: z.string().min(1),
      source: z.string().min(1),
      /** Only this one. */
      field: z.string().min(1).optional(),
    }),
    reply: feedSample,
  },
  'device:bulkFeed': {
    access: member,
    summary:
      'Starts one live feed of several streams of any devices, each of all its fields or of one; stopped as a feed is.',
    request: z.object({
      streams: z
        .array(
          z.object({
            deviceId,
            table: z.string().min(1),
            source: z.string().min(1),
            /** Only this one. */
            field: z.string().min(1).optional(),
          }),
        )
        .min(1)
        .max(MOST_FEEDS),
    }),
    reply: bulkFeedSample,
  },
  'device:feed:stop': {
    access: member,
    summary: 'Stops a live feed.',
    request: z.object({ feedId: z.string() }),
    reply: z.object({}),
  },
  'device:cmd': {
    access: { ...commands, rule: { resource: 'DeviceCommand', action: 'run', on: 'all' } },
    summary: 'Runs a shell command on a device; a disowned one answers its process id at once and lives on.',
    request: z.object({
      deviceId: demanded(deviceId, 'device.id_missing'),
      cmd: demanded(z.string().max(65_536), 'device.command_missing'),
      /** How long its answer is waited for; the device ends it a second earlier. */
      timeoutS: z
        .number()
        .int()
        .min(1)
        .max(3600)
        .default(SOCKET_TIMEOUT_MS / 1000),
      disown: z.boolean().default(false),
    }),
    reply: commandResult,
    timeoutMs: 3_600_000,
  },
  'device:refreshMeta': {
    access: member,
    summary: 'Asks the device to publish its meta again and answers it.',
    request: z.object({ deviceId }),
    reply: deviceMeta,
    timeoutMs: 120_000,
  },
} as const satisfies Record<string, SocketAction>;

export const devicesEvents = {
  'device:stateChange': z.object({ deviceId, online: z.boolean(), at: z.number() }),
  /** Facts that changed, for any number of devices, at most once a second. */
  'device:facts': z.array(z.object({ deviceId, facts: deviceFacts.partial() })),
  'device:new': deviceSummary,
  'device:changed': deviceSummary,
  'device:removed': z.object({ deviceId }),
  'device:metaChange': z.object({ deviceId, meta: deviceMeta }),
  'device:latest': z.object({ deviceId, sources: z.array(latestSource) }),
} as const satisfies SocketEvents;
