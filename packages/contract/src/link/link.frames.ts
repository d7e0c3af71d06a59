import { z } from 'zod';

/**
 * What the cloud asks a device beyond single messages, and what the device answers: exchanges, each with an id of its
 * own, over the channels `ask` (down) and `answer` (up). A message is one frame: a header in JSON, a line feed, and the
 * bytes that it carries, if any.
 *
 * Both ends number what they say (`n`, from 1), so that frames which overtake one another are put in order, and let the
 * other send no more than they have room for (`credit`, bytes in all since the beginning).
 */
export const FRAME_LIMITS = {
  /** Bytes that one frame carries. */
  chunkBytes: 64 * 1024,
  /** Bytes that may be on the way to a reader. */
  windowBytes: 512 * 1024,
  /** Frames that may wait for one before them. */
  early: 64,
  /** Characters of a header: an input, a result. */
  headerLength: 900 * 1024,
  /** An end that hears nothing for so long gives the exchange up, ms. */
  silenceMs: 40_000,
  /** How often the cloud says that it is still there, ms. */
  aliveMs: 5000,
} as const;

const id = z.string().min(1).max(80);
const n = z.number().int().positive();

export const frameHeader = z.discriminatedUnion('t', [
  /** Cloud to device: begins one. It is over after `limitMs`. */
  z.object({
    t: z.literal('open'),
    id,
    kind: z.string().min(1).max(60),
    input: z.unknown(),
    limitMs: z.number().int().min(1).max(86_400_000),
  }),
  z.object({ t: z.literal('data'), id, n }),
  /** Something besides the bytes: progress, what was found, the size of a window. */
  z.object({ t: z.literal('tell'), id, n, value: z.unknown() }),
  /** No more bytes come. */
  z.object({ t: z.literal('end'), id, n }),
  /** Device to cloud: it went well. */
  z.object({ t: z.literal('done'), id, n, result: z.unknown() }),
  /** Device to cloud, and not in turn: why it did not go well. */
  z.object({
    t: z.literal('failed'),
    id,
    error: z.string().max(60),
    message: z.string().max(4000),
    /** What it was at, for kinds whose steps have sentences of their own. */
    step: z.string().max(60).optional(),
  }),
  z.object({ t: z.literal('credit'), id, bytes: z.number().int().min(0) }),
  z.object({ t: z.literal('alive'), id }),
  /** Cloud to device: nobody waits for it any more. */
  z.object({ t: z.literal('cancel'), id }),
]);
export type FrameHeader = z.infer<typeof frameHeader>;
export type Frame = { header: FrameHeader; bytes: Uint8Array };

const LINE_FEED = 10;
const NOTHING = new Uint8Array(0);

export function encodeFrame(header: FrameHeader, bytes: Uint8Array = NOTHING): Uint8Array {
  const head = new TextEncoder().encode(`${JSON.stringify(header)}\n`);
  if (bytes.length === 0) return head;
  const frame = new Uint8Array(head.length + bytes.length);
  frame.set(head);
  frame.set(bytes, head.length);
  return frame;
}

/** Null for what is no frame. The bytes are a view of the message. */
export function decodeFrame(message: Uint8Array): Frame | null {
  const end = message.indexOf(LINE_FEED);
  if (end < 0 || end > FRAME_LIMITS.headerLength) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(message.subarray(0, end));
    const header = frameHeader.safeParse(JSON.parse(text));
    if (!header.success) return null;
    const bytes = message.subarray(end + 1);
    return bytes.length > FRAME_LIMITS.chunkBytes ? null : { header: header.data, bytes };
  } catch {
    return null;
  }
}
