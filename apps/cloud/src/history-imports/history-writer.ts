import { randomUUID } from 'node:crypto';
import type { HistoryPlan } from '@albedo/contract/history-imports/history-imports.schema';
import { OWN_NUMBERS } from '@albedo/contract/link/link.messages';
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

/** Whose numbers begin so. */
export const serialOf = (from: number): number => Math.round((from - OWN_NUMBERS) / NUMBERS);

/** Numbers above and below are those of external sources and of what is calculated. */
export const isImport = (serial: number): boolean => serial > 0 && serial < 2 ** 51 / NUMBERS;

/** All that the cloud numbers itself: what devices sent has smaller numbers. */
const ALL_OWN: NumberRange = { from: OWN_NUMBERS, to: Number.MAX_SAFE_INTEGER };

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
  readonly #mapping: HistoryPlan['mapping'];
  readonly #range: NumberRange;
  /** Events with these numbers are not in the way; null where none is. */
  readonly #besides: NumberRange | null;
  readonly #spans = new Map<string, Promise<Map<string, Span>>>();
  existing = 0;

  constructor(of: {
    telemetry: Telemetry;
    workgroup: string;
    mapping: HistoryPlan['mapping'];
    range: NumberRange;
    /** Events of an instant that the stream has already are left out, or, where others are replaced, those that devices sent. */
    existing: HistoryPlan['existing'];
  }) {
    this.#telemetry = of.telemetry;
    this.#workgroup = of.workgroup;
    this.#mapping = of.mapping;
    this.#range = of.range;
    this.#besides = { add: null, skip: of.range, replace: ALL_OWN }[of.existing];
  }

  /** Counts those that are left out, and stores nothing. */
  async look(events: readonly HistoryEvent[]): Promise<void> {
    await this.#wanted(events);
  }

  async write(events: readonly HistoryEvent[]): Promise<void> {
    const blocks = await this.#wanted(events);
    // A token of its own: after an import was undone, the same events are new ones.
    if (blocks.length > 0) await this.#telemetry.asSystem('history import').insert(blocks, randomUUID());
  }

  async #wanted(events: readonly HistoryEvent[]): Promise<TelemetryBlock[]> {
    const blocks: TelemetryBlock[] = [];
    for (const block of this.#blocksOf(events)) {
      const rows = await this.#fresh(block);
      this.existing += block.rows.length - rows.length;
      if (rows.length > 0) blocks.push({ ...block, rows });
    }
    return blocks;
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
    const besides = this.#besides;
    if (besides === null) return rows;
    const span = (await this.#spansOf(stream.table, besides)).get(`${device}\n${stream.source}`);
    if (!span || !rows.some(([, at]) => at >= span.firstAt && at <= span.lastAt)) return rows;
    const known = await this.#telemetry.asSystem('history import').instants(block, besides);
    return rows.filter(([, at]) => !known.has(at));
  }

  #spansOf(table: string, besides: NumberRange): Promise<Map<string, Span>> {
    let spans = this.#spans.get(table);
    if (!spans) {
      spans = this.#telemetry
        .asSystem('history import')
        .spans(this.#workgroup, table, besides)
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
