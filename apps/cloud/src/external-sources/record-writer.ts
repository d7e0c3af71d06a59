import { randomUUID } from 'node:crypto';
import { EXTERNAL_RECORDS } from '@albedo/contract/external-sources/external-sources.schema';
import { OWN_NUMBERS } from '@albedo/contract/link/link.messages';
import type { MappedPreview, Mapping } from '@albedo/contract/mapping/mapping.schema';
import { OWN_TABLES } from '@albedo/contract/telemetry/telemetry.schema';
import type { Bus } from '../bus/bus.ts';
import { AppError } from '../errors/app-error.ts';
import {
  type ForecastTables,
  hasTimeOfArrival,
  withGoodTimes,
} from '../forecast-tables/forecast-tables.service.ts';
import { eventsArrived } from '../ingest/ingest.topics.ts';
import type { LookupTables } from '../lookup-tables/lookup-tables.service.ts';
import type { HistoryRecord } from '../mapping/history-records.ts';
import { eventsOf, fieldsOf, type MappedEvent, Mapper, rowsBySource } from '../mapping/map-records.ts';
import { UnreadableRecords } from '../mapping/unreadable-records.ts';
import type { Telemetry, TelemetryBlock } from '../telemetry/telemetry.service.ts';
import type { ExternalSourceRow } from './external-sources.store.ts';
import { changesOf, demandColumns, lookupValuesOf } from './lookup-values.ts';

export interface RecordWriterOptions {
  telemetry: Telemetry;
  forecasts: Pick<ForecastTables, 'has'>;
  lookups: Pick<LookupTables, 'find' | 'refill'>;
  bus: Bus;
}

/** The outcome of writing records. */
export interface Written {
  records: number;
  /** Records that became events or values. */
  good: number;
  /** How many of them were new or changed. */
  stored: number;
  /** Events that got the time of their arrival. */
  ahead: number;
  faulty: number;
  faults: MappedPreview['faults'];
  /** Time of the newest event, epoch ms; 0 if there is none. */
  newestAt: number;
}

export const NOTHING: Written = {
  records: 0,
  good: 0,
  stored: 0,
  ahead: 0,
  faulty: 0,
  faults: [],
  newestAt: 0,
};

/** Faults kept for a run. */
const FAULTS_KEPT = 50;

export const together = (a: Written, b: Written): Written => ({
  records: a.records + b.records,
  good: a.good + b.good,
  stored: a.stored + b.stored,
  ahead: a.ahead + b.ahead,
  faulty: a.faulty + b.faulty,
  faults: [...a.faults, ...b.faults].slice(0, FAULTS_KEPT),
  newestAt: Math.max(a.newestAt, b.newestAt),
});

/** Turns records into events or values of a lookup table, and stores what is new. */
export class RecordWriter {
  readonly #of: RecordWriterOptions;

  constructor(of: RecordWriterOptions) {
    this.#of = of;
  }

  /** Throws `data_table.system`, `UnreadableRecords`. */
  async write(row: ExternalSourceRow, records: readonly HistoryRecord[]): Promise<Written> {
    if (row.lookup) return this.#refill(row, records);
    let all = NOTHING;
    for (let at = 0; at < records.length; at += EXTERNAL_RECORDS)
      all = together(all, await this.#writeEvents(row, records.slice(at, at + EXTERNAL_RECORDS)));
    return all;
  }

  async #writeEvents(row: ExternalSourceRow, records: readonly HistoryRecord[]): Promise<Written> {
    const { workgroup, device, mapping, serial } = row;
    if (!mapping || device === null) return NOTHING;
    const mapper = new Mapper(mapping);
    const events = eventsOf(mapper, records);
    const { stored, ahead } = await this.#insert({ workgroup, device, serial, mapping }, events);
    return {
      records: records.length,
      good: events.length,
      stored,
      ahead,
      faulty: mapper.faulty,
      faults: mapper.faults,
      newestAt: events.reduce((most, { at }) => Math.max(most, at), 0),
    };
  }

  /** Leaves the table as it is if a column is missing or most records have no code. */
  async #refill(
    { workgroup, name, lookup }: ExternalSourceRow,
    records: readonly HistoryRecord[],
  ): Promise<Written> {
    if (!lookup) return NOTHING;
    const table = await this.#of.lookups.find(workgroup, lookup.table);
    if (!table)
      throw new UnreadableRecords('The lookup table was deleted. Choose another one in the source.');
    demandColumns(lookup, records);
    const { values, faults, faulty, useless } = lookupValuesOf(lookup, records);
    if (values.length === 0)
      throw new UnreadableRecords('No record has a value, so the lookup table was left as it is.');
    if (useless * 2 > records.length)
      throw new UnreadableRecords(
        `${useless} of ${records.length} records have no value, so the lookup table was left as it is.`,
      );
    const { added, changed, removed } = changesOf(table, values);
    const fields = lookup.texts.map(({ code }) => code);
    await this.#of.lookups.refill(workgroup, lookup.table, { fields, values }, name);
    const stored = added + changed + removed;
    return { ...NOTHING, records: records.length, good: values.length, stored, faulty, faults };
  }

  /** Stores new events. The number of an event comes from its time, so a repeat is recognized and a correction replaces it. */
  async #insert(
    of: { workgroup: string; device: string; serial: number; mapping: Mapping },
    events: MappedEvent[],
  ): Promise<{ stored: number; ahead: number }> {
    refuseOwnTable(of);
    const sink = this.#of.telemetry.asSystem('ingest');
    const fields = fieldsOf(of.mapping);
    const { table } = of.mapping;
    const isForecast = this.#of.forecasts.has(of.workgroup, table);
    const now = Date.now();
    let ahead = 0;
    const blocks: TelemetryBlock[] = [];
    for (const [source, all] of rowsBySource(events, ({ at }) => numberAt(of.serial, at))) {
      const each = [...new Map(all.map((row) => [row[0], row])).values()];
      for (const { rows, ...rest } of withGoodTimes({ fields, rows: each }, now, isForecast)) {
        const stream = { table, source, ...rest };
        if (hasTimeOfArrival(stream)) ahead += rows.length;
        const block = { workgroup: of.workgroup, device: of.device, stream, rows };
        const held = await sink.held(block);
        const fresh = rows.filter((row) => !held.has(row));
        if (fresh.length > 0) blocks.push({ ...block, rows: fresh });
      }
    }
    if (blocks.length === 0) return { stored: 0, ahead };
    await sink.insert(blocks, randomUUID());
    const streams = blocks.map(({ stream, rows }) => ({ ...stream, rows }));
    await this.#of.bus.publish(eventsArrived, { workgroup: of.workgroup, device: of.device, streams });
    return { stored: blocks.reduce((sum, { rows }) => sum + rows.length, 0), ahead };
  }
}

/** Above the numbers of imports: first the time, then the serial of the source in its workgroup. */
const numberAt = (serial: number, at: number): number => OWN_NUMBERS + 2 ** 51 + at * 256 + (serial % 256);

/** Nobody outside writes into the tables in which the cloud and the agents report about themselves. Throws `data_table.system`. */
export function refuseOwnTable({ mapping }: { mapping: Pick<Mapping, 'table'> | null }): void {
  if (mapping && OWN_TABLES.has(mapping.table))
    throw new AppError('data_table.system', { table: mapping.table });
}
