import type { BatchField } from '@albedo/contract/link/link.messages';
import type { MappedPreview } from '@albedo/contract/mapping/mapping.schema';
import type { Cell } from '../mapping/map-records.ts';
import type { BrokerMessage } from './mqtt-link.ts';

/** One event of a message. `slot`, from 0 to 511, tells events of one source and one instant apart. */
export interface HeardEvent {
  source: string;
  at: number;
  slot: number;
  fields: BatchField[];
  values: Cell[];
}

export type HeardFault = Omit<MappedPreview['faults'][number], 'record'>;

/** What a message brought. */
export interface Heard {
  events: HeardEvent[];
  faults: HeardFault[];
  /** What has to be said to the broker because of it. */
  answer?: { topic: string; payload: Buffer } | undefined;
  /** What a person could choose from. */
  columns: readonly string[];
}

export type HeardMessage = Pick<BrokerMessage, 'topic' | 'payload' | 'isRetained' | 'isRepeat'>;

/** Makes events of the messages of one source, in the order in which they come. Never throws. */
export interface MessageReader {
  /** Events have the time at which their message came. */
  readonly goesByArrival: boolean;
  read: (message: HeardMessage, now: number) => Heard;
}

export const SLOTS = 512;

/** Whether a topic is one of a filter of MQTT. */
export function isOfFilter(topic: string, filter: string): boolean {
  const steps = topic.split('/');
  const wanted = filter.split('/');
  for (const [i, one] of wanted.entries()) {
    if (one === '#') return true;
    if (steps[i] === undefined || (one !== '+' && one !== steps[i])) return false;
  }
  return steps.length === wanted.length;
}
