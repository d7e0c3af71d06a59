import { zstdDecompressSync } from 'node:zlib';
import {
  batchEnvelope,
  type DeclaredGap,
  declaredGap,
  type EpochChain,
  epochChain,
  LINK_LIMITS,
} from '@albedo/contract/link/link.messages';
import { z } from 'zod';

/** What the cloud has acknowledged to an outbox, where it says so. */
type Acked = Pick<z.infer<typeof batchEnvelope>, 'ackedId' | 'ackedEpoch'>;

/** A batch whose envelope is right; its streams are not looked at yet. */
export interface OpenBatch {
  outbox: string;
  /** Null from an agent that does not know epochs. */
  epochs: EpochChain | null;
  acked: Acked;
  streams: unknown[];
  gaps: DeclaredGap[];
  /** Bytes of the JSON text. */
  bytes: number;
}

/** Why a message is none of the contract's, and the beginning of it. */
export interface Rubbish {
  reason: string;
  sample: string;
}

/** Bytes of a message that are kept for people to look at. */
const SAMPLE_BYTES = 4096;

/** Control characters other than white space, and bytes that are no UTF-8. */
const BINARY = /(?![\t-\r])\p{Cc}|\ufffd/u;

const gapList = z.array(declaredGap).max(1000);
const acknowledged = batchEnvelope.pick({ ackedId: true, ackedEpoch: true });

/** Opens a batch. Never uses more memory than the contract's limit allows. */
export function openBatch(payload: Buffer): OpenBatch | Rubbish {
  let text: Buffer;
  try {
    text = zstdDecompressSync(payload, { maxOutputLength: LINK_LIMITS.batchBytes });
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const reason = isLarge
      ? `the batch is larger than ${LINK_LIMITS.batchBytes} bytes`
      : 'the batch is not compressed with zstd, or damaged';
    return { reason, sample: sampleOf(payload) };
  }
  let value: unknown;
  try {
    value = JSON.parse(text.toString('utf8'));
  } catch {
    return { reason: 'the batch is not JSON', sample: sampleOf(text) };
  }
  return checkEnvelope(value, text);
}

function checkEnvelope(value: unknown, text: Buffer): OpenBatch | Rubbish {
  const batch = (value ?? {}) as { [part: string]: unknown };
  const wrong = (reason: string) => ({ reason, sample: sampleOf(text) });
  if (batch.v !== 1) return wrong('the batch has another version than 1');
  if (typeof batch.outbox !== 'string' || batch.outbox === '' || batch.outbox.length > 64) {
    return wrong('the batch names no outbox');
  }
  const epochs = epochChain.nullable().safeParse(batch.epochs ?? null);
  if (!epochs.success) return wrong(`the epochs of the batch are wrong: ${firstIssue(epochs.error)}`);
  const acked = acknowledged.safeParse(batch);
  if (!acked.success)
    return wrong(`what the batch says of acknowledgements is wrong: ${firstIssue(acked.error)}`);
  if (!Array.isArray(batch.streams)) return wrong('the batch has no list of streams');
  const gaps = gapList.safeParse(batch.gaps ?? []);
  if (!gaps.success) return wrong(`the gaps of the batch are wrong: ${firstIssue(gaps.error)}`);
  return {
    outbox: batch.outbox,
    epochs: epochs.data,
    acked: acked.data,
    streams: batch.streams,
    gaps: gaps.data,
    bytes: text.length,
  };
}

/** The beginning of a message, as text where it is text, otherwise as hexadecimal. */
export function sampleOf(payload: Buffer): string {
  const head = payload.subarray(0, SAMPLE_BYTES);
  const isCut = head.length < payload.length;
  // The last character may be cut in two; that is no sign of binary bytes.
  const text = head.toString('utf8').replace(isCut ? /\ufffd{1,3}$/ : '', '');
  return BINARY.test(text) ? head.subarray(0, SAMPLE_BYTES / 2).toString('hex') : text;
}

export const firstIssue = (error: z.ZodError): string => {
  const [issue] = error.issues;
  return issue ? `${issue.path.join('.')} ${issue.message}`.trim() : 'it does not fit';
};
