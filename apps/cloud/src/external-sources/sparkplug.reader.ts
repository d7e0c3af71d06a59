import type { BatchField } from '@albedo/contract/link/link.messages';
import { LINK_LIMITS } from '@albedo/contract/link/link.messages';
import type { Mapping } from '@albedo/contract/mapping/mapping.schema';
import { type Cell, cellOf, isPlausible } from '../mapping/map-records.ts';
import type { Heard, HeardEvent, HeardFault, HeardMessage, MessageReader } from './message-reader.ts';
import { ARRIVAL } from './plain-messages.ts';
import {
  decodeSparkplug,
  readValue,
  rebirthCommand,
  type SparkplugMetric,
  type SparkplugPayload,
  UnreadablePayload,
} from './sparkplug.decode.ts';

/** Whether a node or a device is there, by its births and deaths. */
export const ONLINE_FIELD = 'Sparkplug Online';

/** Nodes and devices of one source, and metrics of one of them. */
const MEMBERS = 5000;
const METRICS = LINK_LIMITS.fields;
/** A node is asked for its birth again after so long, and then more and more rarely, ms. */
const ASK_AGAIN_MS = 10_000;
const ASK_RARELY_MS = 600_000;
/** Slots of events that no sequence number tells apart, above the 256 that one does. */
const DEATH_SLOT = 256;
/** Metrics by which hosts speak to nodes, and that of a session. */
const COMMANDS = /^(?:Node Control|Device Control)\/|^bdSeq$/;

/** What a birth says of a metric. */
interface Known {
  name: string;
  datatype: number | null;
  units: string | null;
}

/** A node, or a device of one. */
interface Member {
  byAlias: Map<bigint, Known>;
  byName: Map<string, Known>;
}

interface Node extends Member {
  isBorn: boolean;
  /** A message is missing since its birth. */
  isStale: boolean;
  seq: number | null;
  /** Number of its session, which its death names. */
  session: number | null;
  askedAt: number;
  asked: number;
  devices: Map<string, Member>;
}

type Kind = 'NBIRTH' | 'NDEATH' | 'NDATA' | 'DBIRTH' | 'DDEATH' | 'DDATA';
const KINDS: ReadonlySet<string> = new Set(['NBIRTH', 'NDEATH', 'NDATA', 'DBIRTH', 'DDEATH', 'DDATA']);

interface Place {
  group: string;
  kind: Kind;
  node: string;
  device: string | null;
}

/**
 * A host of Sparkplug B: knows the nodes that it hears, and reads what they report.
 *
 * A node whose birth it has not heard, or of which a message is missing (its sequence numbers say so), is asked for its
 * birth. What can be read without it is stored all the same.
 */
export class SparkplugReader implements MessageReader {
  readonly goesByArrival = false;
  readonly #mapping: Mapping;
  readonly #nodes = new Map<string, Node>();
  #members = 0;

  constructor(mapping: Mapping) {
    this.#mapping = mapping;
  }

  read(message: HeardMessage, now: number): Heard {
    const place = placeOf(message.topic);
    if (!place) return { events: [], faults: [], columns: [] };
    try {
      const payload = decodeSparkplug(message.payload);
      return this.#heard(place, payload, message, now);
    } catch (error) {
      if (!(error instanceof UnreadablePayload)) throw error;
      const text = `${message.topic}: ${error.message}`.slice(0, 300);
      return { events: [], faults: [{ reason: 'message', text }], columns: [] };
    }
  }

  #heard(place: Place, payload: SparkplugPayload, { isRepeat }: HeardMessage, now: number): Heard {
    const { kind, group, node: name } = place;
    const node = this.#nodeOf(`${group}/${name}`);
    if (!node)
      return nothing({ reason: 'message', text: `${name}: more than ${MEMBERS} nodes and devices.` });
    if (kind === 'NDEATH') return this.#died(place, node, payload, now);
    const faults: HeardFault[] = [];
    const isGap = kind !== 'NBIRTH' && isMissing(node, payload.seq, isRepeat);
    if (isGap && node.isBorn)
      faults.push({ reason: 'message', text: `${name}: messages are missing before number ${payload.seq}.` });
    if (isGap) node.isStale = true;
    if (payload.seq !== null) node.seq = payload.seq;
    if (kind === 'NBIRTH') this.#born(node, payload);
    const member = this.#memberOf(node, place);
    if (!member) return nothing({ reason: 'message', text: `${name}: too many devices.` });
    const isBirth = kind === 'NBIRTH' || kind === 'DBIRTH';
    if (isBirth) learn(member, payload.metrics);
    const read = this.#events(place, member, payload, now);
    faults.push(...read.faults);
    if (isBirth || kind === 'DDEATH') read.events.push(this.#presence(place, payload, isBirth, now));
    const isAsked = !node.isBorn || node.isStale || read.isUnknown;
    return {
      events: read.events,
      faults,
      columns: isBirth ? [...member.byName.keys()].filter((one) => !COMMANDS.test(one)) : [],
      answer: isAsked ? askForBirth(place, node, now) : undefined,
    };
  }

  #born(node: Node, { metrics }: SparkplugPayload): void {
    this.#members -= node.devices.size;
    node.devices.clear();
    node.isBorn = true;
    node.isStale = false;
    node.session = sessionOf(metrics);
    node.askedAt = 0;
    node.asked = 0;
  }

  /** A death of an earlier session comes late: the node is there again already. */
  #died(place: Place, node: Node, payload: SparkplugPayload, now: number): Heard {
    const session = sessionOf(payload.metrics);
    if (node.isBorn && session !== null && node.session !== null && session !== node.session)
      return { events: [], faults: [], columns: [] };
    const devices = [...node.devices.keys()];
    this.#members -= node.devices.size;
    node.devices.clear();
    node.isBorn = false;
    node.seq = null;
    // A will has no time of its own: it was written when the node connected.
    const gone = { ...payload, at: now, seq: null };
    const events = [null, ...devices].map((device) => this.#presence({ ...place, device }, gone, false, now));
    return { events, faults: [], columns: [] };
  }

  #presence(place: Place, { at, seq }: SparkplugPayload, isOnline: boolean, now: number): HeardEvent {
    return {
      source: this.#sourceOf(place),
      at: this.#isArrival || at === null || !isPlausible(at) ? now : at,
      slot: DEATH_SLOT + (seq === null ? 255 : seq % 255),
      fields: [{ name: ONLINE_FIELD, type: 'bool' }],
      values: [isOnline ? 1 : 0],
    };
  }

  /** Metrics of one instant are one event; the last one of a name counts. */
  #events(place: Place, member: Member, payload: SparkplugPayload, now: number) {
    const faults: HeardFault[] = [];
    const byInstant = new Map<number, Map<string, { field: BatchField; value: Cell }>>();
    let isUnknown = false;
    for (const metric of payload.metrics) {
      const known = knownOf(member, metric);
      if (!known) isUnknown = true;
      if (!known || metric.isTransient || COMMANDS.test(known.name)) continue;
      const at = this.#isArrival ? now : (metric.at ?? payload.at ?? now);
      if (!isPlausible(at)) {
        faults.push({ reason: 'time', text: `${known.name}: ${at}`.slice(0, 300) });
        continue;
      }
      const cell = this.#cellOf(metric, known);
      if (cell === 'fault')
        faults.push({ reason: 'number', text: `${place.device ?? place.node}: ${known.name}`.slice(0, 300) });
      if (cell === null || cell === 'fault') continue;
      const fields = byInstant.get(at) ?? new Map<string, { field: BatchField; value: Cell }>();
      byInstant.set(at, fields);
      fields.set(cell.field.name, cell);
    }
    const source = this.#sourceOf(place);
    const slot = (payload.seq ?? 0) % DEATH_SLOT;
    const events = [...byInstant].map(([at, cells]): HeardEvent => {
      const all = [...cells.values()];
      return { source, at, slot, fields: all.map((one) => one.field), values: all.map((one) => one.value) };
    });
    return { events, faults, isUnknown };
  }

  /** Null where it has no value, or is none of those that are wanted. */
  #cellOf(metric: SparkplugMetric, known: Known): { field: BatchField; value: Cell } | null | 'fault' {
    const { fields, timezone } = this.#mapping;
    const wanted = fields.find(({ column }) => column === known.name);
    if (fields.length > 0 && !wanted) return null;
    if (metric.isNull || !metric.value) return metric.isNull ? null : 'fault';
    const read = readValue(metric, metric.datatype ?? known.datatype);
    if (!read) return 'fault';
    if (!wanted) {
      const value = typeof read.value === 'string' ? read.value.slice(0, LINK_LIMITS.textLength) : read.value;
      const field = { name: known.name, type: read.type, ...(known.units ? { units: known.units } : {}) };
      return { field, value };
    }
    const given = read.type === 'date' ? new Date(Number(read.value)) : read.value;
    const value = cellOf(given, wanted, timezone);
    const units = wanted.units ?? known.units;
    if (value === null) return 'fault';
    return { field: { name: wanted.name, type: wanted.type, ...(units ? { units } : {}) }, value };
  }

  get #isArrival(): boolean {
    return this.#mapping.timeColumn === ARRIVAL;
  }

  /** The pattern with the names put in; what is empty takes its separator along. */
  #sourceOf({ group, node, device }: Place): string {
    const names: Readonly<Record<string, string>> = { group, node, device: device ?? '' };
    const text = this.#mapping.source.replace(
      /\{(group|node|device)\}/g,
      (_hole, one: string) => names[one] ?? '',
    );
    return text.replace(/[/ ._-]+$|^[/ ._-]+/g, '').slice(0, 400) || node;
  }

  #nodeOf(key: string): Node | null {
    const known = this.#nodes.get(key);
    if (known) return known;
    if (this.#nodes.size + this.#members >= MEMBERS) return null;
    const made: Node = {
      ...newMember(),
      isBorn: false,
      isStale: false,
      seq: null,
      session: null,
      askedAt: 0,
      asked: 0,
      devices: new Map(),
    };
    this.#nodes.set(key, made);
    return made;
  }

  #memberOf(node: Node, { device }: Place): Member | null {
    if (device === null) return node;
    const known = node.devices.get(device);
    if (known) return known;
    if (this.#nodes.size + this.#members >= MEMBERS) return null;
    const made = newMember();
    this.#members += 1;
    node.devices.set(device, made);
    return made;
  }
}

const nothing = (fault: HeardFault): Heard => ({ events: [], faults: [fault], columns: [] });
const newMember = (): Member => ({ byAlias: new Map(), byName: new Map() });

function placeOf(topic: string): Place | null {
  const [space, group = '', kind = '', node = '', device, ...rest] = topic.split('/');
  if (space !== 'spBv1.0' || !KINDS.has(kind) || node === '' || rest.length > 0) return null;
  const isOfDevice = kind.startsWith('D');
  if (isOfDevice !== (device !== undefined && device !== '')) return null;
  return { group, kind: kind as Kind, node, device: isOfDevice ? (device ?? null) : null };
}

/** Each message has the number after the one before it, from 0 to 255 and round again. */
function isMissing(node: Node, seq: number | null, isRepeat: boolean): boolean {
  if (seq === null || node.seq === null) return false;
  return seq !== (node.seq + 1) % 256 && !(isRepeat && seq === node.seq);
}

function sessionOf(metrics: readonly SparkplugMetric[]): number | null {
  const found = metrics.find(({ name }) => name === 'bdSeq');
  const read = found && readValue(found, found.datatype);
  return typeof read?.value === 'number' ? read.value : null;
}

/** A birth says all metrics, so what was known before is forgotten. */
function learn(member: Member, metrics: readonly SparkplugMetric[]): void {
  member.byAlias.clear();
  member.byName.clear();
  for (const { name, alias, datatype, units } of metrics.slice(0, METRICS)) {
    if (name === null || !isFieldName(name)) continue;
    const known = { name, datatype, units };
    member.byName.set(name, known);
    if (alias !== null) member.byAlias.set(alias, known);
  }
}

/** A metric that names itself and its type can be read before any birth. */
function knownOf(member: Member, { name, alias, datatype, units }: SparkplugMetric): Known | null {
  if (name === null || name === '') return alias === null ? null : (member.byAlias.get(alias) ?? null);
  return member.byName.get(name) ?? (isFieldName(name) ? { name, datatype, units } : null);
}

const isFieldName = (name: string): boolean => name.length > 0 && name.length <= 200 && !/\p{Cc}/u.test(name);

function askForBirth({ group, node: name }: Place, node: Node, now: number): Heard['answer'] {
  const pause = Math.min(ASK_RARELY_MS, ASK_AGAIN_MS * 2 ** node.asked);
  if (node.asked > 0 && now - node.askedAt < pause) return undefined;
  node.askedAt = now;
  node.asked = Math.min(10, node.asked + 1);
  return { topic: `spBv1.0/${group}/NCMD/${name}`, payload: rebirthCommand(now) };
}
