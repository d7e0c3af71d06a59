import type { Logger } from 'pino';
import { AppError } from '../errors/app-error.ts';
import type { DaySlots, DaySlotsQuery, WholeWorkgroup } from '../telemetry/telemetry.service.ts';
import type { CounterReading } from './counted.ts';
import { DAY_MS, dayAfter, startOf } from './energy-calendar.ts';
import { SLOT_MS } from './energy-day.ts';
import type { WorkRow } from './energy-days.store.ts';
import type { PlannedDevice, ScaledField } from './energy-plan.ts';

/** What a counter gained while nothing was read for so long is shared over these days. */
export const FAR_DAYS = 7;
/** Days of sources that one question to the engine reads. */
const SOURCE_DAYS = 800;
const RUN_DAYS = 31;

/** Days of devices in one zone that follow one another, and are read together. */
export interface Run {
  zone: string;
  /** Rising. */
  days: string[];
  /** Begin and end of each day, with the days before and after them. */
  edges: number[];
  devices: Map<string, PlannedDevice>;
  work: WorkRow[];
}

export function runsOf(due: readonly WorkRow[], plan: ReadonlyMap<string, PlannedDevice>): Run[] {
  const runs: Run[] = [];
  const known = due.filter(({ device }) => plan.has(device));
  for (const [zone, ofZone] of Map.groupBy(known, ({ device }) => plan.get(device)?.zone ?? 'UTC')) {
    const all = [...new Set(ofZone.map(({ day }) => day))].sort();
    for (const [first, last] of spansOf(all)) {
      const days: string[] = [];
      for (let day = first; day <= last; day = dayAfter(day)) days.push(day);
      const within = ofZone.filter(({ day }) => day >= first && day <= last);
      const edges = [dayAfter(first, -1), ...days, dayAfter(last), dayAfter(last, 2)].map((day) =>
        startOf(day, zone),
      );
      let chunk: Run | null = null;
      let size = 0;
      for (const [id, work] of Map.groupBy(within, ({ device }) => device)) {
        const planned = plan.get(id) as PlannedDevice;
        const own = (planned.sources.length + 1) * days.length;
        if (!chunk || size + own > SOURCE_DAYS) {
          chunk = { zone, days, edges, devices: new Map(), work: [] };
          runs.push(chunk);
          size = 0;
        }
        chunk.devices.set(id, planned);
        chunk.work.push(...work);
        size += own;
      }
    }
  }
  return runs.toSorted((a, b) => ((a.days.at(-1) ?? '') < (b.days.at(-1) ?? '') ? 1 : -1));
}

/** First and last of days that lie side by side, or nearly so; the newest first. */
function spansOf(days: readonly string[]): [string, string][] {
  const spans: [string, string][] = [];
  for (const day of days) {
    const last = spans.at(-1);
    if (last && day <= dayAfter(last[1], 2) && day < dayAfter(last[0], RUN_DAYS)) last[1] = day;
    else spans.push([day, day]);
  }
  return spans;
}

/** What was read, by device, table, source and field, and the place of the stretch. */
export type Read = Map<string, Stretches>;

/** Of one field, by the place of the stretch, with the nearest readings before the first and after the last one. */
export class Stretches extends Map<number, DaySlots> {
  earlier: CounterReading | null = null;
  later: CounterReading | null = null;
}

export const keyOf = (
  device: string,
  table: string,
  source: string,
  { field, dateField }: Pick<ScaledField, 'field' | 'dateField'>,
): string => `${device}\n${table}\n${field}\n${dateField ?? ''}\n${source}`;

export async function readRun(
  reader: WholeWorkgroup,
  { devices, edges }: Run,
  log: Logger | null,
  signal?: AbortSignal,
): Promise<Read> {
  const read: Read = new Map();
  const wanted = [...devices].flatMap(([device, { sources, sensors }]) => [
    ...sources.flatMap(({ table, source, counters, power, dc }) =>
      [...counters, ...(power ? [power] : []), ...(dc ? [dc] : [])].map((field) => ({
        device,
        table,
        source,
        ...field,
      })),
    ),
    ...sensors.map((sensor) => ({ ...sensor, device: sensor.device ?? device })),
  ]);
  for (const query of queriesOf(wanted))
    for (const slots of await readSlots(reader, { ...query, edges, stepMs: SLOT_MS }, log, signal))
      stretchesIn(read, query, slots).set(slots.at, slots);
  return read;
}

interface WantedField extends Pick<ScaledField, 'field' | 'dateField'> {
  device: string;
  table: string;
  source: string;
}
type TableQuery = Pick<DaySlotsQuery, 'table' | 'fields' | 'streams' | 'dateField'>;

/** One question for each table and date field. */
function queriesOf(wanted: readonly WantedField[]): TableQuery[] {
  const byTable = Map.groupBy(wanted, ({ table, dateField }) => `${table}\n${dateField ?? ''}`);
  return [...byTable.values()].map((fields) => {
    const { table = '', dateField } = fields[0] ?? {};
    const streams = new Map(
      fields.map(({ device, source }) => [`${device}\n${source}`, { device, source }] as const),
    );
    return {
      ...{ table, dateField, streams: [...streams.values()] },
      fields: [...new Set(fields.map(({ field }) => field))],
    };
  });
}

/** The stretches of the field that an answer is about. */
function stretchesIn(
  read: Read,
  { table, dateField }: TableQuery,
  { device, source, field }: Pick<DaySlots, 'device' | 'source' | 'field'>,
): Stretches {
  const key = keyOf(device, table, source, { field, dateField });
  const stretches = read.get(key) ?? new Stretches();
  read.set(key, stretches);
  return stretches;
}

/** A date field that is none keeps nothing from the others where that is logged; without a log it throws. */
async function readSlots(
  reader: WholeWorkgroup,
  query: DaySlotsQuery,
  log: Logger | null,
  signal?: AbortSignal,
): Promise<DaySlots[]> {
  try {
    return await reader.daySlots(query, signal);
  } catch (error) {
    if (
      log === null ||
      query.dateField === undefined ||
      !(error instanceof AppError) ||
      error.error !== 'request.invalid'
    )
      throw error;
    const { table, dateField } = query;
    log.warn({ table, dateField }, 'a date field of daily energy is no date');
    return [];
  }
}

/** Of counters without a reading on the day before or after a run, the nearest one of a week. */
export async function readFar(
  reader: WholeWorkgroup,
  { devices, edges }: Run,
  read: Read,
  log: Logger | null,
  signal?: AbortSignal,
): Promise<void> {
  const [first, last] = [edges[0] as number, edges.at(-1) as number];
  const counters = [...devices].flatMap(([device, { sources }]) =>
    sources.flatMap(({ table, source, counters: own }) =>
      own.map((field) => ({ device, table, source, ...field })),
    ),
  );
  for (const side of ['earlier', 'later'] as const) {
    const place = side === 'earlier' ? 0 : edges.length - 2;
    const lacking = counters.filter(
      (one) => read.get(keyOf(one.device, one.table, one.source, one))?.has(place) !== true,
    );
    const far =
      side === 'earlier'
        ? [first - FAR_DAYS * DAY_MS, first]
        : [last, Math.min(Date.now(), last + FAR_DAYS * DAY_MS)];
    if ((far[0] as number) >= (far[1] as number)) continue;
    // Of what lies before, the newest reading is asked for alone.
    const stepMs = side === 'earlier' ? FAR_DAYS * DAY_MS : SLOT_MS;
    for (const query of queriesOf(lacking))
      for (const slots of await readSlots(reader, { ...query, edges: far, stepMs }, log, signal)) {
        const nearest = slots.slots.at(side === 'earlier' ? -1 : 0);
        if (!nearest) continue;
        const [, , value, sinceMs] = nearest;
        stretchesIn(read, query, slots)[side] = { at: (far[0] as number) + sinceMs, value };
      }
  }
}

/** Work on days of which something was read, and on those of which nothing is there, be it that it expired. */
export function partOfWork({ work, days, devices }: Run, read: Read): [there: WorkRow[], gone: WorkRow[]] {
  const isThere = ({ device, day }: WorkRow) => {
    const at = days.indexOf(day) + 1;
    return (devices.get(device)?.sources ?? []).some(({ table, source, counters, power, dc }) =>
      [...counters, power, dc].some(
        (field) => field && read.get(keyOf(device, table, source, field))?.has(at) === true,
      ),
    );
  };
  return [work.filter(isThere), work.filter((one) => !isThere(one))];
}
