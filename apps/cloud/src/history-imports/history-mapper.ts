import type {
  FaultReason,
  HistoryFault,
  HistoryPlan,
} from '@albedo/contract/history-imports/history-imports.schema';
import type { TimeFormat } from '@albedo/contract/mapping/mapping.schema';
import { OWN_TABLES, tableName } from '@albedo/contract/telemetry/telemetry.schema';
import { FUTURE_MS } from '../forecast-tables/forecast-tables.service.ts';
import type { HistoryRecord } from '../mapping/history-records.ts';
import { type Cell, cellOf, isPlausible, textOf, timeTextOf } from '../mapping/map-records.ts';
import { valueAt } from '../mapping/read-records.ts';
import { readTimes } from '../mapping/read-time.ts';

/** One event of a file; a value for each field of the mapping. */
export interface HistoryEvent {
  device: string;
  table: string;
  source: string;
  /** Epoch ms. */
  at: number;
  values: Cell[];
}

/** A plan that leaves nothing to the values of the file. */
export type SettledPlan = Omit<HistoryPlan, 'mapping'> & {
  mapping: Omit<HistoryPlan['mapping'], 'timeFormat'> & { timeFormat: TimeFormat };
};

/** Streams whose order is remembered. */
const STREAMS = 200_000;

/** Where a stream is: its last instant, and whether its times rise (1) or fall (-1). */
interface Place {
  at: number;
  way: 1 | -1;
}

/**
 * Events of the records of one file, in the order of the file.
 *
 * An hour that clocks show twice is told apart by that order: of the two instants it is the one that goes on from the record
 * before of the same stream, in the direction in which its times go; where both do, or none, the nearer one, and of the very first
 * record the earlier one.
 */
export class HistoryMapper {
  readonly #plan: SettledPlan;
  readonly #deviceOf: (text: string) => string | null;
  readonly #onFault: (fault: HistoryFault) => void;
  readonly #latest: number;
  readonly #holdsForecasts: (table: string) => boolean;
  readonly #places = new Map<string, Place>();
  readonly #tables = new Map<string, boolean>();
  records = 0;
  events = 0;
  faulty = 0;
  values = 0;

  constructor(
    plan: SettledPlan,
    deviceOf: (text: string) => string | null,
    onFault: (fault: HistoryFault) => void,
    of: { holdsForecasts: (table: string) => boolean; now?: number },
  ) {
    this.#plan = plan;
    this.#deviceOf = deviceOf;
    this.#onFault = onFault;
    this.#holdsForecasts = of.holdsForecasts;
    this.#latest = (of.now ?? Date.now()) + FUTURE_MS;
  }

  /** Null where the record is no event; that is told, as is every value that is left out of one. */
  event(given: HistoryRecord): HistoryEvent | null {
    this.records += 1;
    const { line } = given;
    if ('fault' in given) return this.#fault(line, 'record', given.fault);
    const { record } = given;
    const { mapping, deviceColumn, tableColumn } = this.#plan;
    const { timeFormat, timezone, standardTime, fields, sourceColumn } = mapping;
    const text = (column: string) => textOf(valueAt(record, column))?.trim() ?? '';

    const device = deviceColumn === null ? this.#plan.device : this.#deviceOf(text(deviceColumn));
    if (device === null) return this.#fault(line, 'device', deviceColumn === null ? '' : text(deviceColumn));
    const table = tableColumn === null ? mapping.table : text(tableColumn);
    if (!this.#isTable(table)) return this.#fault(line, 'table', table);
    const source = sourceColumn === null ? mapping.source : text(sourceColumn);
    if (source === '' || source.length > 400 || /\p{Cc}/u.test(source))
      return this.#fault(line, 'source', source);
    const time = timeTextOf(record, mapping)?.trim() ?? '';
    const instants = readTimes(time, timeFormat, timezone, standardTime);
    if (instants?.length === 0) return this.#fault(line, 'skipped_time', time);
    const at = instants && this.#goesOn(`${device}\n${table}\n${source}`, instants);
    const isGood = at !== null && isPlausible(at) && (at < this.#latest || this.#holdsForecasts(table));
    if (at === null || !isGood) return this.#fault(line, 'time', time);

    let isEmpty = true;
    const values = fields.map((field): Cell => {
      const value = valueAt(record, field.column);
      if (value === undefined || value === null || value === '') return null;
      const cell = cellOf(value, field, timezone);
      if (cell === null) {
        this.values += 1;
        this.#tell(line, 'number', `${field.column}: ${textOf(value) ?? ''}`);
      } else isEmpty = false;
      return cell;
    });
    if (isEmpty) return this.#fault(line, 'empty', '');
    this.events += 1;
    return { device, table, source, at, values };
  }

  #goesOn(stream: string, instants: number[]): number | null {
    const [first, second] = instants;
    if (first === undefined) return null;
    const place = this.#places.get(stream);
    const at = second === undefined ? first : place ? nextOf(place, [first, second]) : first;
    if (place) {
      if (at !== place.at) place.way = at > place.at ? 1 : -1;
      place.at = at;
    } else {
      if (this.#places.size >= STREAMS) this.#places.clear();
      this.#places.set(stream, { at, way: 1 });
    }
    return at;
  }

  #isTable(table: string): boolean {
    let is = this.#tables.get(table);
    if (is === undefined) {
      is = tableName.safeParse(table).success && !OWN_TABLES.has(table);
      if (this.#tables.size >= 1000) this.#tables.clear();
      this.#tables.set(table, is);
    }
    return is;
  }

  #fault(line: number, reason: FaultReason, text: string): null {
    this.faulty += 1;
    this.#tell(line, reason, text);
    return null;
  }

  #tell(line: number, reason: FaultReason, text: string): void {
    this.#onFault({ line, reason, text: text.slice(0, 200) });
  }
}

function nextOf({ at, way }: Place, instants: [number, number]): number {
  const onwards = instants.filter((one) => (one - at) * way > 0);
  const among = onwards.length > 0 ? onwards : instants;
  return among.reduce((best, one) => (Math.abs(one - at) < Math.abs(best - at) ? one : best));
}

/** The columns of the records at the top that a plan needs. */
export function columnsIn({ mapping, deviceColumn, tableColumn }: HistoryPlan): Set<string> {
  const { timeColumn, clockColumn, sourceColumn, fields } = mapping;
  const paths = [
    timeColumn,
    clockColumn,
    sourceColumn,
    deviceColumn,
    tableColumn,
    ...fields.map(({ column }) => column),
  ];
  return new Set(paths.flatMap((path) => (!path ? [] : [path, path.split('.')[0] as string])));
}
