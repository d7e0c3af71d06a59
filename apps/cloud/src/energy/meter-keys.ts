import type { energyIssues } from '@albedo/contract/energy/energy.errors';
import { METER_GRANULARITIES, type MeterGranularity } from '@albedo/contract/energy/energy.names';
import type { EnergyConfigs } from '@albedo/contract/energy/energy-config.schema';
import { instantsOf, wallTime } from '@albedo/contract/time/zoned-time';
import { dayAt } from './energy-calendar.ts';
import type { NewBudget, NewReading } from './meter-data.store.ts';

/** What is wrong with a value, by its sentence. */
export interface MeterFault {
  fault: keyof typeof energyIssues;
  data: Record<string, string>;
}
export const isFault = (value: object): value is MeterFault => 'fault' in value;
const fault = (name: MeterFault['fault'], data: Record<string, string> = {}): MeterFault => ({
  fault: name,
  data,
});

/** Codes, sites and devices that readings and budgets may name. */
export interface MeterWorld {
  codes: ReadonlySet<string>;
  /** Zones of codes: that of the first device of their site. */
  zoneOf: (code: string) => string;
  /** Ids of devices and meter sites by id and by name. */
  subjects: ReadonlyMap<string, string>;
}

const HOUR_MS = 3_600_000;
export const GRANULARITY_MS: Record<Exclude<MeterGranularity, 'month'>, number> = {
  '15m': HOUR_MS / 4,
  '30m': HOUR_MS / 2,
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
};
const ENERGY_MOST = 1e12;

export function meterWorld(
  config: EnergyConfigs['meter-data-config'],
  devices: readonly { id: string; name: string }[],
  zones: (device: string) => string,
): MeterWorld {
  const zoneByCode = new Map<string, string>();
  for (const { codes, devices: own } of config.sites)
    for (const code of codes)
      if (own[0] !== undefined && !zoneByCode.has(code)) zoneByCode.set(code, zones(own[0]));
  const subjects = new Map<string, string>();
  const named = Map.groupBy([...devices, ...config.sites], ({ name }) => name);
  // Two of one name are told apart by their ids alone.
  for (const [name, [one, ...others]] of named) if (one && others.length === 0) subjects.set(name, one.id);
  for (const { id } of [...devices, ...config.sites]) subjects.set(id, id);
  return {
    codes: new Set(config.codes.map(({ code }) => code)),
    zoneOf: (code) => zoneByCode.get(code) ?? 'UTC',
    subjects,
  };
}

/** A granularity that exists. */
export function granularityOf(value: unknown, otherwise: MeterGranularity): MeterGranularity | MeterFault {
  if (value === undefined) return otherwise;
  const found = METER_GRANULARITIES.find((one) => one === value);
  return found ?? fault('issue.energy_granularity', { choices: METER_GRANULARITIES.join(', ') });
}

/** Energy as it was sent: a number that can be one. */
export function energyOf(value: unknown): number | MeterFault {
  const isEnergy = typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= ENERGY_MOST;
  return isEnergy ? value : fault('issue.energy_number', { value: String(value).slice(0, 80) });
}

/** A reading by code, time and granularity. Days and months are those that are written, whatever the clock of the meter. */
export function readingOf(
  {
    code,
    time,
    granularity,
    energy,
  }: { code: string; time: string; granularity: MeterGranularity; energy: unknown },
  world: MeterWorld,
  how: { isEnd: boolean; zone: string | null } = { isEnd: false, zone: null },
): NewReading | MeterFault {
  if (!world.codes.has(code)) return fault('issue.energy_code', { code });
  const zone = how.zone ?? world.zoneOf(code);
  const at = startOf(time, granularity, zone, how.isEnd);
  if (typeof at === 'object') return at;
  const energyKWh = energyOf(energy);
  if (typeof energyKWh === 'object') return energyKWh;
  const isWhole = granularity === 'day' || granularity === 'month';
  return {
    code,
    at,
    day: isWhole ? new Date(at).toISOString().slice(0, 10) : dayAt(at, zone),
    granularity,
    energyKWh,
  };
}

const TIME =
  /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/;

const isMidnight = ({ hour, minute, second }: { hour: number; minute: number; second: number }): boolean =>
  hour === 0 && minute === 0 && second === 0;

/** The instant of a written time with its offset, epoch ms. */
function instantIn([
  ,
  y,
  m,
  d = '01',
  h = '00',
  min = '00',
  s = '00',
  offset = 'Z',
]: readonly string[]): number {
  const zone = offset.length === 5 ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset;
  return Date.parse(`${y}-${m}-${d}T${h}:${min}:${s}${zone}`);
}

/** The start of the interval that a time stands for, epoch ms; days and months at midnight of UTC. */
function startOf(
  text: string,
  granularity: MeterGranularity,
  zone: string,
  isEnd: boolean,
): number | MeterFault {
  const match = TIME.exec(text.trim());
  const no = () => fault('issue.energy_time', { value: text.slice(0, 80) });
  if (!match) return no();
  const [, y = '', m = '', d, h, min, s, offset] = match;
  const [year, month, day] = [Number(y), Number(m), Number(d ?? 1)];
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return no();
  const wall = { year, month, day, hour: Number(h ?? 0), minute: Number(min ?? 0), second: Number(s ?? 0) };
  if (wall.hour > 23 || wall.minute > 59 || wall.second > 59) return no();
  if (granularity === 'day' && d === undefined) return no();
  if (granularity === 'day' || granularity === 'month') {
    const local = offset === undefined || isMidnight(wall) ? wall : wallTime(instantIn(match), zone);
    const midnight = Date.UTC(local.year, local.month - 1, local.day);
    // A month that is written without a day is the month itself.
    const isFirst = d !== undefined && local.day === 1 && isMidnight(local);
    // What ends at midnight is the day, or the month, before.
    if (granularity === 'month') {
      if (offset !== undefined && d !== undefined && !isFirst && !isMidnight(wall)) return no();
      return Date.UTC(local.year, local.month - 1 - (isEnd && isFirst ? 1 : 0), 1);
    }
    if (offset !== undefined && !isMidnight(local)) return no();
    return midnight - (isEnd && isMidnight(local) ? GRANULARITY_MS.day : 0);
  }
  if (d === undefined || h === undefined || min === undefined) return no();
  const stepMinutes = GRANULARITY_MS[granularity] / 60_000;
  if (wall.second > 0 || wall.minute % stepMinutes !== 0) return fault('issue.energy_grid', { value: text });
  const back = isEnd ? GRANULARITY_MS[granularity] : 0;
  if (offset !== undefined) return instantIn(match) - back;
  const [at, ...others] = instantsOf(wall, zone);
  if (at === undefined) return fault('issue.energy_no_hour', { value: text });
  return others.length > 0 ? fault('issue.energy_two_hours', { value: text }) : at - back;
}

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])(?:-\d{2})?$/;

export function budgetOf(
  {
    subject: named,
    month,
    energy,
    performanceRatio,
    irradiationKWhM2,
  }: {
    subject: string;
    month: string;
    energy: unknown;
    performanceRatio?: number | null | undefined;
    irradiationKWhM2?: number | null | undefined;
  },
  world: MeterWorld,
): NewBudget | MeterFault {
  const subject = world.subjects.get(named);
  if (subject === undefined) return fault('issue.energy_subject', { subject: named });
  const match = MONTH.exec(month.trim());
  if (!match) return fault('issue.energy_month', { value: month.slice(0, 80) });
  const energyKWh = energyOf(energy);
  if (typeof energyKWh === 'object') return energyKWh;
  const others = [performanceRatio, irradiationKWhM2].find(
    (one) => one != null && !(one >= 0 && Number.isFinite(one)),
  );
  if (others !== undefined) return fault('issue.energy_number', { value: String(others) });
  return {
    ...{ subject, month: `${match[1]}-${match[2]}-01`, energyKWh },
    performanceRatio: performanceRatio ?? null,
    irradiationKWhM2: irradiationKWhM2 ?? null,
  };
}

/** The two parts of a key; the last bar parts them, as names may have one. */
export function partsOf(key: string): [string, string] | null {
  const at = key.lastIndexOf('|');
  return at > 0 && at < key.length - 1 ? [key.slice(0, at).trim(), key.slice(at + 1).trim()] : null;
}
