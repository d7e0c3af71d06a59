import { METER_GRANULARITIES, type MeterGranularity } from '@albedo/contract/energy/energy.names';
import type {
  EnergyImportPlan,
  EnergyImportPreview,
  energyImportFault,
} from '@albedo/contract/energy/energy.schema';
import type { z } from 'zod';
import type { NewBudget, NewReading } from './meter-data.store.ts';
import { budgetOf, isFault, type MeterFault, type MeterWorld, readingOf } from './meter-keys.ts';
import { type TableLine, tableLines } from './meter-table.ts';

type Fault = z.output<typeof energyImportFault>;
type Ask = EnergyImportPreview['asks'][number];

/** A file as it was read, with what is wrong with it and what has to be said. */
export interface ReadImport {
  layout: 'long' | 'wide' | null;
  plan: EnergyImportPlan;
  asks: Ask[];
  readings: NewReading[];
  budgets: NewBudget[];
  faults: Fault[];
  faultCount: number;
}

interface Around {
  world: MeterWorld;
  granularity: MeterGranularity;
  /** Null where each meter has the clock of its site. */
  timezone: string | null;
}

/** Faults that are told; all are counted. */
const TOLD = 200;
const CODE = /^(code|meter|meter code|meter_code|z(ä|ae)hler|contador|id)$/i;
const TIME =
  /^(date ?time|time|date|timestamp|from|start|begin|to|end|until|zeit|datum|fecha|hora|month|monat|mes)$/i;
const ENERGY = /^(k ?wh|energy|energy_?kwh|value|reading|energie|energ(í|i)a)( ?\(?k?wh\)?)?$/i;
const SUBJECT = /^(device|site|subject|ger(ä|ae)t|anlage|dispositivo|planta)$/i;
const ENDS = /^(to|end|until)$/i;
const BEGINS = /^(from|start|begin)$/i;

/** Throws `energy.import_unreadable`. */
export async function readImport(
  file: { name: string; bytes: Buffer },
  plan: EnergyImportPlan,
  around: Around,
): Promise<ReadImport> {
  const lines = await tableLines(file.name, file.bytes);
  const faults = new Faults();
  const read = {
    layout: null,
    plan,
    asks: [] as Ask[],
    readings: [] as NewReading[],
    budgets: [] as NewBudget[],
  };
  const [head, ...body] = lines;
  const told = (): ReadImport => ({ ...read, faults: faults.told, faultCount: faults.count });
  if (!head || body.length === 0) {
    faults.add(1, { fault: 'issue.energy_columns', data: {} });
    return told();
  }
  const cells = cellsOf(head, body, plan.kind);
  if (!cells) {
    faults.add(head.line, { fault: 'issue.energy_columns', data: {} });
    return told();
  }
  for (const { line, cells: own } of body)
    if (own.length !== head.cells.length)
      faults.add(line, {
        fault: 'issue.energy_cells',
        data: { count: String(own.length), wanted: String(head.cells.length) },
      });
  const { decimal, asksDecimal } = decimalOf(plan, cells.rows);
  const granularity = plan.kind === 'budget' ? 'month' : (plan.granularity ?? granularityIn(cells.rows));
  const isFine = granularity !== null && granularity !== 'day' && granularity !== 'month';
  const times = plan.times ?? (cells.times !== null ? cells.times : isFine ? null : 'start');
  const hasOffsets = cells.rows.every(
    ({ time }) => typeof time === 'string' && /(Z|[+-]\d{2}:?\d{2})$/.test(time.trim()),
  );
  const timezone = plan.timezone ?? around.timezone;
  const asks: Ask[] = [
    ...(granularity === null ? (['granularity'] as const) : []),
    ...(granularity !== null && times === null ? (['times'] as const) : []),
    ...(asksDecimal ? (['decimal'] as const) : []),
    ...(isFine && !hasOffsets && timezone === null ? (['timezone'] as const) : []),
  ];
  const found = {
    ...plan,
    granularity,
    times,
    decimal,
    timezone: isFine && !hasOffsets ? timezone : plan.timezone,
  };
  const how = { isEnd: times === 'end', zone: timezone };
  const seen = new Set<string>();
  for (const { line, subject, time, energy, more } of cells.rows) {
    const value = numberOf(energy, decimal ?? '.');
    const text = timeText(time, plan.kind === 'budget');
    if (plan.kind === 'budget') {
      const [performanceRatio, irradiationKWhM2] = more.map((cell) =>
        cell === null || cell === '' ? null : Number(numberOf(cell, decimal ?? '.')),
      );
      const one = budgetOf(
        { subject, month: text, energy: value, performanceRatio, irradiationKWhM2 },
        around.world,
      );
      if (isFault(one)) faults.add(line, one);
      else if (isNew(seen, `${one.subject}|${one.month.slice(0, 7)}`, line, faults)) read.budgets.push(one);
      continue;
    }
    const of = { code: subject, time: text, granularity: granularity ?? around.granularity, energy: value };
    const one = readingOf(of, around.world, how);
    if (isFault(one)) {
      // What has to be said first cannot be wrong yet.
      const isAsked =
        (one.fault === 'issue.energy_number' && asksDecimal) ||
        (one.fault === 'issue.energy_time' && granularity === null);
      if (!isAsked) faults.add(line, one);
    } else if (isNew(seen, `${one.code}|${one.at}`, line, faults)) read.readings.push(one);
  }
  return {
    ...told(),
    layout: cells.layout,
    plan: found,
    asks,
    readings: read.readings,
    budgets: read.budgets,
  };
}

function isNew(seen: Set<string>, key: string, line: number, faults: Faults): boolean {
  if (seen.has(key)) {
    faults.add(line, { fault: 'issue.energy_twice', data: { key } });
    return false;
  }
  seen.add(key);
  return true;
}

class Faults {
  readonly told: Fault[] = [];
  count = 0;

  add(line: number, { fault, data }: MeterFault): void {
    this.count++;
    if (this.told.length < TOLD) this.told.push({ line, fault, data });
  }
}

type Cell = TableLine['cells'][number];
interface CellRow {
  line: number;
  subject: string;
  time: Cell;
  energy: Cell;
  more: Cell[];
}

/** What stands where: a column for each meter, or one for all. Null where the columns are none that are known. */
function cellsOf(
  head: TableLine,
  body: readonly TableLine[],
  kind: EnergyImportPlan['kind'],
): { layout: 'long' | 'wide'; times: 'start' | 'end' | null; rows: CellRow[] } | null {
  const names = head.cells.map((cell) => String(cell ?? '').trim());
  const find = (pattern: RegExp) => names.findIndex((name) => pattern.test(name));
  const time = find(TIME);
  const subject = find(kind === 'budget' ? SUBJECT : CODE);
  if (time < 0) return null;
  const times = ENDS.test(names[time] ?? '') ? 'end' : BEGINS.test(names[time] ?? '') ? 'start' : null;
  if (subject >= 0) {
    const energy = find(ENERGY);
    if (energy < 0) return null;
    const more = kind === 'budget' ? [find(/^(pr|performance ?ratio)$/i), find(/^(poa|irradiation)$/i)] : [];
    const rows = body.map(({ line, cells }) => ({
      ...{
        line,
        subject: String(cells[subject] ?? ''),
        time: cells[time] ?? null,
        energy: cells[energy] ?? null,
      },
      more: more.map((at) => (at < 0 ? null : (cells[at] ?? null))),
    }));
    return { layout: 'long', times, rows };
  }
  const codes = names.flatMap((name, at) => (at === time || name === '' ? [] : [{ name, at }]));
  if (codes.length === 0) return null;
  const rows = body.flatMap(({ line, cells }) =>
    codes.flatMap(({ name, at }) => {
      const energy = cells[at] ?? null;
      // A meter that says nothing at a time has no reading there.
      return energy === null || energy === ''
        ? []
        : [{ line, subject: name, time: cells[time] ?? null, energy, more: [] }];
    }),
  );
  return { layout: 'wide', times, rows };
}

/** A number as it is written; a text that is none stays one, so that it is told. */
function numberOf(cell: Cell, decimal: '.' | ','): number | string {
  if (typeof cell === 'number') return cell;
  if (cell === null || cell instanceof Date) return String(cell ?? '');
  const thousands = decimal === '.' ? ',' : '.';
  const grouped = new RegExp(`^-?\\d{1,3}(\\${thousands}\\d{3})+(\\${decimal}\\d+)?$`);
  const plain = grouped.test(cell) ? cell.replaceAll(thousands, '') : cell;
  const text = plain.replace(decimal, '.').replace(/\s/g, '');
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : cell;
}

/** The decimal sign that the numbers show; asked where each of them can be read in two ways. */
function decimalOf({ decimal }: EnergyImportPlan, rows: readonly CellRow[]) {
  if (decimal !== null) return { decimal, asksDecimal: false };
  let isUnclear = false;
  for (const { energy } of rows) {
    if (typeof energy !== 'string') continue;
    const signs = energy.match(/[.,]/g) ?? [];
    if (signs.length === 0) continue;
    const last = signs.at(-1) as '.' | ',';
    // Two signs: the last one is the decimal one. One sign before anything but three digits is none of thousands.
    if (new Set(signs).size === 2) return { decimal: last, asksDecimal: false };
    if (signs.length > 1)
      return { decimal: last === '.' ? (',' as const) : ('.' as const), asksDecimal: false };
    if (!/^-?\d{1,3}[.,]\d{3}$/.test(energy) || /^-?0[.,]/.test(energy))
      return { decimal: last, asksDecimal: false };
    isUnclear = true;
  }
  return { decimal: isUnclear ? null : ('.' as const), asksDecimal: isUnclear };
}

/** How far apart the readings of one meter lie; null where that is none of the usual ones, or there is only one. */
function granularityIn(rows: readonly CellRow[]): MeterGranularity | null {
  const isMonth = rows.every(({ time }) => typeof time === 'string' && /^\d{4}-\d{2}$/.test(time.trim()));
  if (isMonth) return 'month';
  const isDay = rows.every(({ time }) => typeof time === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(time.trim()));
  const first = rows[0]?.subject;
  const times = rows
    .filter(({ subject }) => subject === first)
    .map(({ time }) => Date.parse(timeText(time, false).replace(/([T ]\d{2}:\d{2}(:\d{2})?)$/, '$1Z')))
    .filter((at) => !Number.isNaN(at))
    .toSorted((a, b) => a - b);
  const steps = times
    .slice(1)
    .map((at, i) => at - (times[i] ?? at))
    .filter((step) => step > 0);
  const least = Math.min(...steps) / 60_000;
  const found = { 15: '15m', 30: '30m', 60: 'hour', 1440: 'day' }[least] as MeterGranularity | undefined;
  if (found && METER_GRANULARITIES.includes(found)) return found;
  const most = Math.max(...steps) / 60_000;
  if (steps.length > 0 && least >= 28 * 1440 && most <= 31 * 1440) return 'month';
  return isDay ? 'day' : null;
}

/** A time of a cell as text; a spreadsheet's date has no zone of its own. */
function timeText(cell: Cell, isMonth: boolean): string {
  if (cell instanceof Date) {
    const text = cell.toISOString();
    return isMonth ? text.slice(0, 7) : text.slice(0, 19);
  }
  const text = String(cell ?? '').trim();
  const swapped = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(.*)$/.exec(text);
  const [, day = '', month = '', year = '', rest = ''] = swapped ?? [];
  const iso = swapped ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${rest}` : text;
  return isMonth ? iso.slice(0, 7) : iso;
}
