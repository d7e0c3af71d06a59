import { plainText } from '@albedo/plugin-kit/fields/field-value';
import type { Column, PluginRecord, Value } from '@albedo/plugin-kit/records/record';
import {
  decodePayload,
  type Metric,
  metricType,
  metricValue,
  type SparkplugPayload,
} from './sparkplug-payload.ts';

/** Metrics of one machine and machines at most, whatever the plant sends. */
const MOST_METRICS = 2000;
const MOST_MACHINES = 2000;
/** Names that the protocol itself needs. */
const OWN = /^(bdSeq|Node Control\/|Device Control\/)/;

interface Known {
  name: string;
  type: number;
  column: Column;
  value: Value;
}

interface Machine {
  source: string[];
  byName: Map<string, Known>;
  byAlias: Map<bigint, Known>;
  /** The column that says whether it is alive. */
  online: Column;
  isAlive: boolean;
}

/** What is known of a node, which speaks for itself and for the devices behind it. */
interface NodeState {
  /** Number of its last message; null before its first and after its death. */
  seq: number | null;
  /** The death that belongs to its last birth has the same number; null where it has none. */
  bdSeq: bigint | null;
  needsBirth: boolean;
  /** When it may be asked again, and how long to wait after that, ms. */
  askableAt: number;
  waitMs: number;
}

/** First wait between two requests for a birth, and the longest: each is twice the one before, ms. */
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [2000, 600_000];

/** What the plugin has to do about a message besides writing records. */
export interface SparkplugNeeds {
  fault(text: string): void;
  /** The node is to tell all it has again. */
  rebirth(group: string, node: string): void;
}

/**
 * Machines that speak Sparkplug B: a birth names all metrics of one with their types, its data name those that changed.
 * Whose birth was not seen, or who lost a message, is asked for another birth; who dies gives a record without values
 * that says so. Source: Sparkplug 3.0.0, chapters 4 to 6.
 */
export class Sparkplug {
  readonly #table: string;
  readonly #machines = new Map<string, Machine>();
  readonly #nodes = new Map<string, NodeState>();
  readonly #unborn = new Set<string>();

  constructor(table: string) {
    this.#table = table;
  }

  /** What a message tells, a record for each instant in it. Throws for a payload that is none. */
  take(topic: string, bytes: Buffer, now: number, needs: SparkplugNeeds): PluginRecord[] {
    const [, group = '', kind = '', node = '', device = ''] = topic.split('/');
    const source = device === '' ? [group, node] : [group, node, device];
    const isBirth = kind === 'NBIRTH' || kind === 'DBIRTH';
    const isDeath = kind === 'NDEATH' || kind === 'DDEATH';
    if (!isBirth && !isDeath && kind !== 'NDATA' && kind !== 'DDATA') return [];
    const payload = decodePayload(bytes);
    const state = this.#nodeOf(`${group}/${node}`);
    const bdSeq = bdSeqOf(payload.metrics);
    if (kind === 'NDEATH') {
      // The will of an earlier connection says nothing of this one.
      if (bdSeq !== null && state.bdSeq !== null && bdSeq !== state.bdSeq) return [];
      state.seq = null;
      return this.#dead((machine) => isOf(machine, group, node), now);
    }
    const missing = kind === 'NBIRTH' ? null : missingSeq(state, payload.seq);
    state.seq = payload.seq ?? state.seq;
    if (kind === 'NBIRTH') Object.assign(state, { bdSeq, needsBirth: false });
    else if (missing !== null) {
      state.needsBirth = true;
      needs.fault(`${group}/${node}: messages are missing, ${payload.seq} came in place of ${missing}`);
    }
    const records = isDeath
      ? this.#dead((machine) => machine.source.join('/') === source.join('/'), now)
      : this.#told(source, payload, isBirth, now, () => {
          state.needsBirth = true;
          if (this.#isNews(source.join('/')))
            needs.fault(`${source.join('/')} is read from its next birth on`);
        });
    if (state.needsBirth && now >= state.askableAt) {
      const isCalm = now >= state.askableAt + LONGEST_WAIT_MS;
      state.waitMs = isCalm ? FIRST_WAIT_MS : Math.min(state.waitMs * 2, LONGEST_WAIT_MS);
      state.askableAt = now + state.waitMs;
      needs.rebirth(group, node);
    }
    return records;
  }

  #told(
    source: string[],
    payload: SparkplugPayload,
    isBirth: boolean,
    now: number,
    unborn: () => void,
  ): PluginRecord[] {
    const key = source.join('/');
    if (isBirth && (this.#machines.has(key) || this.#machines.size < MOST_MACHINES)) {
      this.#machines.set(key, born(source, payload.metrics));
      this.#unborn.delete(key);
    }
    const machine = this.#machines.get(key);
    if (!machine?.isAlive) {
      unborn();
      return [];
    }
    const records: PluginRecord[] = [];
    for (const [at, metrics] of byInstant(payload.metrics, payload.at ?? now)) {
      const isChanged = metrics.map((metric) => setValue(machine, metric)).includes(true);
      const isKnown = [...machine.byName.values()].some(({ value }) => value !== null);
      if (isChanged && isKnown) records.push(this.#recordOf(machine, Math.min(at, now)));
    }
    return records;
  }

  /** One record for each machine that was alive until now; its next birth makes it anew. */
  #dead(concerns: (machine: Machine) => boolean, now: number): PluginRecord[] {
    const dying = [...this.#machines.values()].filter((machine) => machine.isAlive && concerns(machine));
    return dying.map((machine) => {
      machine.isAlive = false;
      for (const known of machine.byName.values()) known.value = null;
      return this.#recordOf(machine, now);
    });
  }

  #recordOf({ source, byName, online, isAlive }: Machine, at: number): PluginRecord {
    const known = [...byName.values()];
    return {
      table: this.#table,
      source,
      at,
      columns: [...known.map(({ column }) => column), online],
      values: [...known.map(({ value }) => value), isAlive],
    };
  }

  #nodeOf(key: string): NodeState {
    const known = this.#nodes.get(key);
    if (known) return known;
    const state = { seq: null, bdSeq: null, needsBirth: false, askableAt: 0, waitMs: FIRST_WAIT_MS };
    if (this.#nodes.size < MOST_MACHINES) this.#nodes.set(key, state);
    // Whoever is beyond what is kept is not asked for more, either.
    else state.askableAt = Number.POSITIVE_INFINITY;
    return state;
  }

  #isNews(key: string): boolean {
    const isNews = !this.#unborn.has(key) && this.#unborn.size < MOST_MACHINES;
    if (isNews) this.#unborn.add(key);
    return isNews;
  }
}

const isOf = ({ source }: Machine, group: string, node: string): boolean =>
  source[0] === group && source[1] === node;

/** The number that should have come; null where it did, and where nothing is known. */
function missingSeq({ seq: last }: NodeState, seq: number | null): number | null {
  if (last === null || seq === null) return null;
  const expected = (last + 1) % 256;
  return seq === expected ? null : expected;
}

const bdSeqOf = (metrics: Metric[]): bigint | null => {
  const value = metrics.find(({ name }) => name === 'bdSeq')?.value;
  return typeof value === 'bigint' ? value : null;
};

function born(source: string[], metrics: Metric[]): Machine {
  const isTaken = metrics.some(({ name }) => name === 'Online');
  const machine: Machine = {
    ...{ source, byName: new Map(), byAlias: new Map(), isAlive: true },
    online: { name: isTaken ? 'Online (Sparkplug)' : 'Online', type: 'bool' },
  };
  const names = new Set<string>();
  for (const { name, alias, type } of metrics) {
    const columnType = type === null ? null : metricType(type);
    if (name === '' || OWN.test(name) || type === null || columnType === null) continue;
    const text = plainText(name).slice(0, 200);
    if (names.has(text) || names.size >= MOST_METRICS) continue;
    names.add(text);
    const known = { name, type, column: { name: text, type: columnType }, value: null };
    machine.byName.set(name, known);
    if (alias !== null) machine.byAlias.set(alias, known);
  }
  return machine;
}

/** True when the machine has that metric. */
function setValue({ byName, byAlias }: Machine, { name, alias, value }: Metric): boolean {
  const known = name === '' ? alias !== null && byAlias.get(alias) : byName.get(name);
  if (!known) return false;
  const raw = metricValue(known.type, value);
  known.value =
    typeof raw === 'string'
      ? plainText(raw)
      : typeof raw === 'bigint'
        ? String(raw)
        : raw instanceof Date && Number.isNaN(raw.getTime())
          ? null
          : (raw as Value);
  return true;
}

function byInstant(metrics: Metric[], at: number): [number, Metric[]][] {
  const groups = new Map<number, Metric[]>();
  for (const metric of metrics) {
    const instant = metric.at ?? at;
    groups.set(instant, [...(groups.get(instant) ?? []), metric]);
  }
  return [...groups].toSorted(([a], [b]) => a - b);
}
