import { plainText } from '@albedo/plugin-kit/fields/field-value';
import type { Column, PluginRecord, Value } from '@albedo/plugin-kit/records/record';
import { decodePayload, type Metric, metricType, metricValue } from './sparkplug-payload.ts';

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
  byName: Map<string, Known>;
  byAlias: Map<bigint, Known>;
}

/**
 * Machines that speak Sparkplug B: a birth names all metrics of one with their types, its data name those that changed.
 * Source: Sparkplug 3.0.0, chapters 4 and 5.
 */
export class Sparkplug {
  readonly #table: string;
  readonly #machines = new Map<string, Machine>();
  readonly #unborn = new Set<string>();

  constructor(table: string) {
    this.#table = table;
  }

  /**
   * What a message tells, a record for each instant in it; none after a death. Data of a machine whose birth has not
   * been seen are told once to `unborn`. Throws for a payload that is none.
   */
  take(topic: string, bytes: Buffer, now: number, unborn: (machine: string) => void): PluginRecord[] {
    const [, group = '', kind = '', node = '', device = ''] = topic.split('/');
    const source = device === '' ? [group, node] : [group, node, device];
    const key = source.join('/');
    if (kind === 'NDEATH' || kind === 'DDEATH') {
      this.#machines.delete(key);
      return [];
    }
    const isBirth = kind === 'NBIRTH' || kind === 'DBIRTH';
    if (!isBirth && kind !== 'NDATA' && kind !== 'DDATA') return [];
    const payload = decodePayload(bytes);
    if (isBirth && this.#machines.size < MOST_MACHINES) {
      this.#machines.set(key, born(payload.metrics));
      this.#unborn.delete(key);
    }
    const machine = this.#machines.get(key);
    if (!machine) {
      if (!this.#unborn.has(key) && this.#unborn.size < MOST_MACHINES) unborn(key);
      this.#unborn.add(key);
      return [];
    }
    const records: PluginRecord[] = [];
    for (const [at, metrics] of byInstant(payload.metrics, payload.at ?? now)) {
      const isChanged = metrics.map((metric) => setValue(machine, metric)).includes(true);
      const known = [...machine.byName.values()];
      if (!isChanged || known.every(({ value }) => value === null)) continue;
      records.push({
        table: this.#table,
        source,
        at: Math.min(at, now),
        columns: known.map(({ column }) => column),
        values: known.map(({ value }) => value),
      });
    }
    return records;
  }
}

function born(metrics: Metric[]): Machine {
  const machine: Machine = { byName: new Map(), byAlias: new Map() };
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
