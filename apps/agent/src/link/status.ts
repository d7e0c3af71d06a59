import type { WentBack } from '@albedo/contract/devices/went-back';
import type { StatusMessage } from '@albedo/contract/link/link.messages';
import type { Lives } from '../lives.ts';
import { osName } from '../machine/readings.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { VERSION } from '../version.ts';

/** Streams whose counters are told. */
const MAX_STREAMS = 10_000;

/** What the agent says of itself every few seconds. */
export function statusOf(of: {
  outbox: Outbox;
  lives: Lives;
  photos: StatusMessage['photos'];
  /** Of the configuration on the disk; empty where there is none. */
  configHash: string;
  /** Why another one is in force. */
  fallbackError: string | null;
  /** What was put back last; null for nothing. */
  wentBack: WentBack | null;
  unreadBytes: number;
}): StatusMessage {
  const { outbox, lives, photos, configHash, fallbackError, wentBack, unreadBytes } = of;
  const { name, epochs } = outbox.claim();
  const facts = outbox.facts;
  return {
    at: Date.now(),
    version: VERSION,
    starts: lives.starts,
    crashes: lives.crashes,
    ...(configHash ? { configHash } : {}),
    ...(fallbackError === null ? {} : { fallbackError: fallbackError.slice(0, 1000) }),
    ...(wentBack === null ? {} : { wentBack }),
    outbox: name,
    epochs,
    ackedId: facts.ackedId,
    ackedEpoch: facts.ackedEpoch,
    os: osName(),
    sourceLastDataAt: facts.lastDataAt,
    pendingEvents: facts.events,
    firstPendingId: facts.firstId,
    pendingBytes: facts.bytes,
    outboxLimitBytes: facts.limitBytes,
    unreadBytes,
    droppedEvents: facts.dropped,
    lastMsgId: facts.lastId,
    photos,
    streams: outbox.counters().slice(0, MAX_STREAMS),
  };
}
