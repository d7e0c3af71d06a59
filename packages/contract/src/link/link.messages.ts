import { z } from 'zod';
import { gapCause } from '../completeness/completeness.schema.ts';
import { deviceMeta, type expectType } from '../devices/meta.schema.ts';
import { wentBack } from '../devices/went-back.ts';
import { photosWaiting } from '../photos/photos.schema.ts';
import { fieldType } from '../telemetry/telemetry.schema.ts';

/**
 * Messages of the device link. `batch` travels as zstd-compressed JSON, everything else as JSON.
 * Instants are epoch ms of the sender's clock.
 */

/** Limits that both sides keep; a message beyond them is set aside. */
export const LINK_LIMITS = {
  /** Events of one batch. */
  batchEvents: 5000,
  /** Bytes of one batch before compression. */
  batchBytes: 4 * 1024 * 1024,
  /** Bytes of any MQTT message. */
  messageBytes: 1024 * 1024,
  /** Fields of one stream. */
  fields: 4096,
  /** Characters of one text value; agents cut longer ones. */
  textLength: 32_768,
} as const;

export const batchField = z.object({
  name: z.string().min(1).max(200),
  type: fieldType,
  units: z.string().max(40).optional(),
});
export type BatchField = z.infer<typeof batchField>;

/**
 * Fields of lines that the device could not read: why, and the line as it was. Their type is none that is stored: the cloud
 * sets such rows aside, each with its reason and its line.
 */
export const UNREAD_FIELDS = ['reason', 'raw'].map((name) => ({
  name,
  type: 'unread',
})) as unknown as BatchField[];

/** Holds the device's own time of an event that came with a clock far ahead; the time of the event is then the cloud's. */
export const DEVICE_TIME = 'device_time';

/**
 * Events of one stream. A row is `[msg_id, event_time, value…]` with one value for each field, null where the event
 * has none. Numbers stand for decimal, integer, bool (0 or 1) and date (epoch ms); keyword values are texts. An integer
 * beyond 2^53 is the text of its digits, as `isWhole64` takes it.
 */
export type BatchRow = [msgId: number, eventAt: number, ...values: (number | string | null)[]];

const WHOLE = /^(?:0|-?[1-9]\d{0,19})$/;

/** Whether a text is the digits of a whole number of 64 bits, with a sign or without. */
export function isWhole64(text: string): boolean {
  if (!WHOLE.test(text)) return false;
  if (text.length < 19) return true;
  const value = BigInt(text);
  return value >= -(2n ** 63n) && value < 2n ** 64n;
}

export interface BatchStream {
  table: string;
  source: string;
  fields: BatchField[];
  rows: BatchRow[];
}

/** Events that the device will never send, and why. */
export const declaredGap = z.object({
  from: z.number().int(),
  to: z.number().int(),
  table: z.string().nullable(),
  source: z.string().nullable(),
  cause: gapCause,
  events: z.number().int().nullable(),
  firstEventAt: z.number().int().nullable(),
  lastEventAt: z.number().int().nullable(),
});
export type DeclaredGap = z.infer<typeof declaredGap>;

/**
 * The starts of an outbox that numbered what it holds, oldest first: a random name each, and the first number it gave. The
 * last one runs now; those before it are told until the cloud has acknowledged something of the last one.
 */
export const epochChain = z
  .array(z.tuple([z.string().min(1).max(64), z.number().int().positive()]))
  .min(1)
  .max(100);
export type EpochChain = z.infer<typeof epochChain>;

/**
 * One batch. `msg_id`s are unique and rising per device; a new outbox starts at `outboxStart(now)`, so that numbers
 * of a lost outbox are never used again. Rows of a batch need not be consecutive.
 */
export interface Batch {
  v: 1;
  /** Names the outbox on the device's disk; a new one means that the old one was lost. */
  outbox: string;
  /** Absent from agents that do not know epochs. */
  epochs?: EpochChain;
  /** Highest number that the cloud has acknowledged to this outbox; absent where there is none. */
  ackedId?: number;
  /** The epoch under which it was acknowledged. */
  ackedEpoch?: string;
  streams: BatchStream[];
  gaps: DeclaredGap[];
}

/** The envelope of a batch; rows are checked one by one by the ingest, so that a bad one costs only itself. */
export const batchEnvelope = z.object({
  v: z.literal(1),
  outbox: z.string().min(1).max(64),
  epochs: epochChain.optional(),
  ackedId: z.number().int().min(0).optional(),
  ackedEpoch: z.string().max(64).optional(),
  streams: z
    .array(
      z.object({
        table: z.string().min(1).max(200),
        source: z.string().min(1).max(400),
        fields: z.array(batchField).max(LINK_LIMITS.fields),
        rows: z.array(z.unknown()).max(LINK_LIMITS.batchEvents),
      }),
    )
    .max(LINK_LIMITS.batchEvents),
  gaps: z.array(declaredGap).max(1000).default([]),
});

/** First number of an outbox made at `nowMs`: seconds in the high bits, room for a million events a second. */
export const outboxStart = (nowMs: number): number => Math.floor(nowMs / 1000) * 2 ** 20 + 1;

/** Numbers from here on are the cloud's own, of events that no agent sent: external sources and imports of the past. */
export const OWN_NUMBERS = 2 ** 52;

/**
 * An epoch that the cloud gives to an outbox whose own numbers belong to another one by now: after a restored or copied
 * disk, or a clock that stood still. Nothing above `keepTo` was taken from it.
 */
export const epochGrant = z.object({
  /** The epoch that may not number any more. */
  for: z.string(),
  epoch: z.string().min(1).max(64),
  /** Events above `keepTo` get new numbers, in their order, from here on. */
  first: z.number().int().positive(),
  keepTo: z.number().int().min(0),
  /** The name of the outbox from now on; the name it has when no copy of it has that one. */
  outbox: z.string().min(1).max(64),
});
export type EpochGrant = z.infer<typeof epochGrant>;

/** Cloud to device: these numbers (both ends included) are stored, or set aside; the outbox may forget them. */
export const ackMessage = z.object({
  outbox: z.string(),
  /** The epoch that sent them; nobody else forgets them. Absent where the batch named none. */
  epoch: z.string().optional(),
  ranges: z.array(z.tuple([z.number().int(), z.number().int()])),
  /** Declared gaps that were noted, by their first number. */
  gaps: z.array(z.number().int()).default([]),
  /** Send nothing for so long, ms, then everything again that is not acknowledged. */
  pauseMs: z.number().int().min(0).optional(),
  /** Another process of the cloud listens from now on: say again what nobody may have heard. */
  isNewListener: z.boolean().optional(),
  /** Nothing of the batch was taken: number again, then send. */
  grant: epochGrant.optional(),
});
export type AckMessage = z.infer<typeof ackMessage>;

/** Retained; `offline` is the will of the connection. */
export const stateMessage = z.object({
  state: z.enum(['online', 'offline']),
  session: z.string(),
  at: z.number(),
});
export type StateMessage = z.infer<typeof stateMessage>;

/** Every 10 s, and at once after connecting. */
export const statusMessage = z.object({
  at: z.number(),
  version: z.string(),
  /** How often the agent has started, and ended without being asked to; absent where the agent does not count. */
  starts: z.number().int().min(0).optional(),
  crashes: z.number().int().min(0).optional(),
  outbox: z.string(),
  /** Hexadecimal SHA-256 of the configuration on the disk. */
  configHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** Why the last good configuration is in force in place of that one; absent where that one is. */
  fallbackError: z.string().max(10_000).optional(),
  /** What it has put back last; absent where nothing was, or a later change stayed. */
  wentBack: wentBack.optional(),
  /** As in a batch. */
  epochs: epochChain.optional(),
  /** Highest number that the cloud has acknowledged to this outbox; null before the first. */
  ackedId: z.number().nullable().optional(),
  /** The epoch under which that was acknowledged. */
  ackedEpoch: z.string().max(64).nullable().optional(),
  os: z.string().nullable(),
  /** Newest line that was read from any source. */
  sourceLastDataAt: z.number().nullable(),
  pendingEvents: z.number(),
  /** Lowest number that waits in the outbox; null when nothing does, absent when the agent does not report it. */
  firstPendingId: z.number().nullable().optional(),
  pendingBytes: z.number(),
  outboxLimitBytes: z.number(),
  /** Bytes in followed files not read yet. */
  unreadBytes: z.number(),
  droppedEvents: z.number(),
  /** Highest number given out so far. */
  lastMsgId: z.number(),
  /** Photos wait on the device; absent where none ever did. */
  photos: photosWaiting.optional(),
  /** `[table, source, captured, sent, dropped]`, counted since the outbox was made. */
  streams: z.array(z.tuple([z.string(), z.string(), z.number(), z.number(), z.number()])).max(10_000),
});
export type StatusMessage = z.infer<typeof statusMessage>;

export const metaMessage = z.object({ at: z.number(), meta: deviceMeta });

/** Samples of a live feed as they arrive at the agent, before the outbox is read. */
export const liveMessage = z.object({
  feedId: z.string(),
  table: z.string(),
  source: z.string(),
  /** `[event_time, { field: value }]`. */
  events: z.array(z.tuple([z.number(), z.record(z.string(), z.union([z.number(), z.string(), z.null()]))])),
});
export type LiveMessage = z.infer<typeof liveMessage>;

/** Cloud to device. A feed ends by itself after `ttlS` unless it is asked for again. */
export const requestMessage = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('feed'),
    feedId: z.string(),
    table: z.string(),
    source: z.string(),
    ttlS: z.number().int().min(1).max(600),
  }),
  z.object({ action: z.literal('feedStop'), feedId: z.string() }),
  z.object({
    action: z.literal('cmd'),
    correlationId: z.string(),
    cmd: z.string().min(1).max(65_536),
    timeoutS: z.number().int().min(1).max(3600),
    disown: z.boolean().default(false),
  }),
  z.object({ action: z.literal('refreshMeta'), correlationId: z.string() }),
]);
export type RequestMessage = z.infer<typeof requestMessage>;

/** Device to cloud: the answer to a request that carries a correlation id. */
export const replyMessage = z.object({
  correlationId: z.string(),
  complete: z.boolean(),
  stdout: z.string().default(''),
  stderr: z.string().default(''),
  returnCode: z.number().int().nullable().default(null),
  /** Why the command could not be started. */
  error: z.string().nullable().default(null),
  /** Ended by the timeout. */
  killed: z.boolean().default(false),
  pid: z.number().int().nullable().default(null),
  /** Files of the device with all of an output that is too long to be told as a whole. */
  stdoutFile: z.string().max(1000).nullish(),
  stderrFile: z.string().max(1000).nullish(),
});
export type ReplyMessage = z.infer<typeof replyMessage>;

/** How an expected type is stored; `discard` is not, and texts are keywords. */
export function storedType(expect: z.infer<typeof expectType>): z.infer<typeof fieldType> | null {
  if (expect === 'discard') return null;
  return expect === 'log' ? 'keyword' : expect;
}
