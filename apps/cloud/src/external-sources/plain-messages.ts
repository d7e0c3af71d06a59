import { createHash } from 'node:crypto';
import type { ExternalSource, Subscription } from '@albedo/contract/external-sources/external-sources.schema';
import { EXTERNAL_RECORDS } from '@albedo/contract/external-sources/external-sources.schema';
import type { Mapping } from '@albedo/contract/mapping/mapping.schema';
import { fieldsOf, Mapper } from '../mapping/map-records.ts';
import { columnsOf, type ForeignRecord, readRecords } from '../mapping/read-records.ts';
import { UnreadableRecords } from '../mapping/unreadable-records.ts';
import { type Heard, type HeardMessage, type MessageReader, SLOTS } from './message-reader.ts';

/** When the message came, as a column. */
export const ARRIVAL = 'mqtt.time';
const REMEMBERED_SOURCES = 10_000;

type Plan = Pick<ExternalSource, 'format' | 'recordsPath'> &
  Pick<Subscription, 'payload'> & { mapping: Mapping };

/** Reads messages of plain devices: records, or bare values that the last level of the topic names. */
export class PlainMessages implements MessageReader {
  readonly goesByArrival: boolean;
  readonly #plan: Plan;
  readonly #isLook: boolean;
  readonly #fields;
  readonly #columns: ReadonlySet<string>;
  readonly #slots = new Map<string, Map<string, number>>();

  /** A look shows values that no field takes, too. */
  constructor(plan: Plan, isLook: boolean) {
    this.#isLook = isLook;
    const { mapping } = plan;
    // The arrival is ours, however the devices write their times.
    this.goesByArrival = mapping.timeColumn === ARRIVAL;
    this.#plan = this.goesByArrival ? { ...plan, mapping: { ...mapping, timeFormat: 'iso' } } : plan;
    this.#fields = fieldsOf(mapping);
    this.#columns = new Set(mapping.fields.map(({ column }) => column));
  }

  read(message: HeardMessage, now: number): Heard {
    const { mapping } = this.#plan;
    // What the broker has kept did not happen now.
    if (message.isRetained && this.goesByArrival) return { events: [], faults: [], columns: [] };
    let records: ForeignRecord[];
    try {
      records = this.#records(message, now);
    } catch (error) {
      if (!(error instanceof UnreadableRecords)) throw error;
      return {
        events: [],
        faults: [{ reason: 'message', text: aboutTopic(message, error.message) }],
        columns: [],
      };
    }
    const mapper = new Mapper(mapping);
    const events = records.flatMap((record) => {
      const event = mapper.event(record);
      if (!event) return [];
      const there = event.values.flatMap((value, i) => (value === null ? [] : [i]));
      return {
        source: event.source,
        at: event.at,
        slot: this.#slot(event.source, message.topic),
        fields: there.flatMap((i) => this.#fields[i] ?? []),
        values: there.map((i) => event.values[i] ?? null),
      };
    });
    const faults = mapper.faults.map(({ reason, text }) => ({ reason, text: aboutTopic(message, text) }));
    return { events, faults, columns: records.slice(0, 10).flatMap((one) => columnsOf(one)) };
  }

  #records({ topic, payload }: HeardMessage, now: number): ForeignRecord[] {
    const text = payload.toString();
    const about = topicColumns(topic, now);
    if (this.#plan.payload === 'values') {
      const name = topic.slice(topic.lastIndexOf('/') + 1);
      // Topics beside those that are wanted are no fault.
      if (this.#columns.has(name) || this.#columns.has('value') || this.#isLook)
        return [{ ...about, value: text, [name]: text }];
      return [];
    }
    const { format, recordsPath } = this.#plan;
    const records = readRecords(text, format, recordsPath);
    if (records.length > EXTERNAL_RECORDS)
      throw new UnreadableRecords(`It has more than ${EXTERNAL_RECORDS} records.`);
    return records.map((record) => ({ ...record, ...about }));
  }

  /** The same topic of a source has the same slot again, so that a repeat is known. */
  #slot(source: string, topic: string): number {
    if (this.#slots.size >= REMEMBERED_SOURCES) this.#slots.clear();
    const taken = this.#slots.get(source) ?? new Map<string, number>();
    this.#slots.set(source, taken);
    const known = taken.get(topic);
    if (known !== undefined) return known;
    const first = createHash('sha256').update(topic).digest().readUInt16BE() % SLOTS;
    const used = new Set(taken.values());
    let slot = first;
    while (used.has(slot) && used.size < SLOTS) slot = (slot + 1) % SLOTS;
    if (taken.size < SLOTS) taken.set(topic, slot);
    return slot;
  }
}

function topicColumns(topic: string, now: number): ForeignRecord {
  const levels = topic.split('/').slice(0, 20);
  return {
    [ARRIVAL]: new Date(now).toISOString(),
    'mqtt.topic': topic,
    ...Object.fromEntries(levels.map((level, i) => [`mqtt.${i + 1}`, level])),
  };
}

const aboutTopic = ({ topic }: HeardMessage, text: string): string => `${topic}: ${text}`.slice(0, 300);
