import type {
  BatchStream,
  LiveMessage,
  metaMessage,
  ReplyMessage,
  StatusMessage,
} from '@albedo/contract/link/link.messages';
import type { z } from 'zod';
import { topic } from '../bus/topic.ts';

/** Events of one device as they arrived: checked, new, and not stored yet. */
export interface Arrival {
  workgroup: string;
  device: string;
  streams: BatchStream[];
}

/** What a device said on a channel of its own; it fits the schema. */
export interface Said<Message> {
  device: string;
  message: Message;
}

/** New events of a batch, before they are stored: the live view never waits for the store. */
export const eventsArrived = topic<Arrival>('device:arrival', { reach: 'process' });

/** A device hands in events that are hours old; `oldestAt` is the oldest of them, epoch ms. */
export const eventsLate = topic<{ device: string; oldestAt: number }>('device:late');

export const statusSaid = topic<Said<StatusMessage>>('device:status', { reach: 'process' });
export const metaSaid = topic<Said<z.output<typeof metaMessage>>>('device:meta', { reach: 'process' });
export const liveSaid = topic<Said<LiveMessage>>('device:live');
export const replySaid = topic<Said<ReplyMessage>>('device:reply');
