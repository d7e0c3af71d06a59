import { randomUUID } from 'node:crypto';
import { OWN_NUMBERS } from '@albedo/contract/link/link.messages';
import type { Mapping } from '@albedo/contract/mapping/mapping.schema';
import { fieldsOf } from '../mapping/map-records.ts';
import type { NumberRange, Telemetry, TelemetryBlock } from '../telemetry/telemetry.service.ts';
import type { HistoryEvent } from './history-mapper.ts';

/** Numbers of one import. */
const NUMBERS = 2 ** 32;

/** The numbers that the events of an import have, below those of external sources. */
export const rangeOf = (serial: number): NumberRange => ({
  from: OWN_NUMBERS + serial * NUMBERS,
  to: OWN_NUMBERS + serial * NUMBERS + NUMBERS - 1,
});

interface Span {
  firstAt: number;
  lastAt: number;
}

/**
 * Stores events of one import. An event has its number by the fields that it has, so that a run that is repeated stores it once,
 * and the last of those with the same stream, instant and fields stays.
 */
export class HistoryWriter {
  readonly #telemetry: Telemetry;
  readonly #workgroup: string;
  readonly #mapping: Mapping;
  readonly #range: NumberRange;
  readonly #skips: boolean;
  readonly #spans = new Map<string, Promise<Map<string, Span>>>();
  existing = 0;

  constructor(of: {
    telemetry: Telemetry;
    workgroup: string;
    mapping: Mapping;
    range: NumberRange;
    /** Events of an instant that the stream has already are left out. */
    skips: boolean;
  }) {
    this.#telemetry = of.telemetry;
    this.#workgroup = of.workgroup;
    this.#mapping = of.mapping;
    this.#range = of.range;
    this.#skips = of.skips;
  }

  async write(events: readonly HistoryEvent[]): Promise<void> {
    const blocks: TelemetryBlock[] = [];
    for (const block of this.#blocksOf(events)) {
      const rows = this.#skips ? await this.#fresh(block) : block.rows;
      this.existing += block.rows.length - rows.length;
      if (rows.length > 0) blocks.push({ ...block, rows });
    }
    // A token of its own: after an import was undone, the same events are new ones.
    if (blocks.length > 0) await this.#telemetry.asSystem('history import').insert(blocks, randomUUID());
  }

  #blocksOf(events: readonly HistoryEvent[]): Iterable<TelemetryBlock> {
    const fields = fieldsOf(this.#mapping);
    const blocks = new Map<string, TelemetryBlock>();
    for (const { device, table, source, at, values } of events) {
      const key = `${device}\n${table}\n${source}`;
      let block = blocks.get(key);
      if (!block) {
        block = { workgroup: this.#workgroup, device, stream: { table, source, fields }, rows: [] };
        blocks.set(key, block);
      }
      block.rows.push([this.#range.from + hashOf(values), at, ...values]);
    }
    return [...blocks.values()].map(withoutEmptyFields);
  }

  async #fresh(block: TelemetryBlock): Promise<TelemetryBlock['rows']> {
    const { device, stream, rows } = block;
    const span = (await this.#spansOf(stream.table)).get(`${device}\n${stream.source}`);
    if (!span || !rows.some(([, at]) => at >= span.firstAt && at <= span.lastAt)) return rows;
    const known = await this.#telemetry.asSystem('history import').instants(block, this.#range);
    return rows.filter(([, at]) => !known.has(at));
  }

  #spansOf(table: string): Promise<Map<string, Span>> {
    let spans = this.#spans.get(table);
    if (!spans) {
      spans = this.#telemetry
        .asSystem('history import')
        .spans(this.#workgroup, table, this.#range)
        .then((all) => new Map(all.map((one) => [`${one.device}\n${one.source}`, one])));
      this.#spans.set(table, spans);
    }
    return spans;
  }
}

/** Fields that none of the events has would be made in a table that is not theirs. */
function withoutEmptyFields(block: TelemetryBlock): TelemetryBlock {
  const { stream, rows } = block;
  const used = stream.fields.map((_, i) => rows.some((row) => (row[i + 2] ?? null) !== null));
  if (used.every(Boolean)) return block;
  return {
    ...block,
    stream: { ...stream, fields: stream.fields.filter((_, i) => used[i]) },
    rows: rows.map(([number, at, ...values]) => [number, at, ...values.filter((_, i) => used[i])]),
  };
}

/** Which fields an event has, as a number below 2³² (FNV-1a). */
function hashOf(values: readonly unknown[]): number {
  let hash = 0x811c9dc5;
  for (const value of values) hash = Math.imul(hash ^ (value === null ? 0 : 1), 0x01000193);
  return hash >>> 0;
}
