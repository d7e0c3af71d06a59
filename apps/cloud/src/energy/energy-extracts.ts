import type { EnergyConfigs } from '@albedo/contract/energy/energy-config.schema';
import type { KnownSource } from '@albedo/contract/entities/streams.schema';
import { readUnit } from '@albedo/contract/field-roles/field-units';
import Papa from 'papaparse';
import type { DaySlots, Telemetry, WholeWorkgroup } from '../telemetry/telemetry.service.ts';
import { dayAfter, startOf } from './energy-calendar.ts';
import { SLOT_MS } from './energy-day.ts';
import type { EnergyDaysStore } from './energy-days.store.ts';
import type { PlannedDevice, PlannedSensor } from './energy-plan.ts';

const SLOT_H = SLOT_MS / 3_600_000;
/** Sources whose fields one question reads. */
const STREAMS = 20;
/** How fields of inputs are called where nobody says which they are: `MPPT 1 Power`, `PV2 DC Power`, `String 3 Current`. */
const TRACKER = /\b(mppt|pv|string|input|tracker)[ _-]?\d+\b/i;

/** A calendar month, by its days. */
export interface ExtractMonth {
  /** `YYYY-MM`. */
  month: string;
  days: readonly string[];
}

export function monthOf(month: string): ExtractMonth {
  const days: string[] = [];
  for (let day = `${month}-01`; day.startsWith(month); day = dayAfter(day)) days.push(day);
  return { month, days };
}

/** The month before the one that an instant lies in. */
export function monthBefore(at: number): string {
  const date = new Date(at);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}

interface ExtractOf {
  workgroup: string;
  plan: ReadonlyMap<string, PlannedDevice>;
  month: ExtractMonth;
}

type Line = (string | number | null)[];
const csvOf = (lines: readonly Line[]): string =>
  `${Papa.unparse(lines as Line[], { escapeFormulae: true })}\r\n`;

/**
 * Light of the days of a month, kWh/m²: in the plane where a device has one orientation, on the ground where it has several.
 * Source: the extract of the specification's vendor, domain notes 21.
 */
export async function irradiationCsv(
  { workgroup, plan, month }: ExtractOf,
  of: { days: EnergyDaysStore; telemetry: Telemetry },
): Promise<string> {
  const reader = of.telemetry.asSystem('energy', workgroup);
  const kept = await of.days.irradiation(workgroup, month.days[0] ?? '', month.days.at(-1) ?? '');
  const inPlane = new Map(kept.map(({ device, day, kWhM2 }) => [`${device}\n${day}`, kWhM2]));
  const lines: Line[] = [
    ['name', 'deviceId', 'Irradiation type', 'Available days', 'Total irradiation', ...month.days],
  ];
  for (const planned of plan.values()) {
    const { id, name } = planned.device;
    const isInclined =
      new Set(planned.sources.map(({ planes }) => JSON.stringify(planes))).size === 1 &&
      (planned.sources[0]?.planes.length ?? 0) <= 1;
    const values = isInclined
      ? month.days.map((day) => inPlane.get(`${id}\n${day}`) ?? null)
      : await onGround(reader, planned, month);
    lines.push([name, id, isInclined ? 'global inclined' : 'global horizontal', ...summed(values)]);
  }
  return csvOf(lines);
}

async function onGround(
  reader: WholeWorkgroup,
  planned: PlannedDevice,
  month: ExtractMonth,
): Promise<(number | null)[]> {
  const sensor = planned.sensors.find(({ role }) => role === 'irradianceGhi');
  if (!sensor) return month.days.map(() => null);
  const slots = await daySlotsOf(reader, planned, month, [
    { ...sensor, device: sensor.device ?? planned.device.id },
  ]);
  return month.days.map((_, at) => {
    const one = slots.find((row) => row.at === at);
    return one ? integral(one, sensor) / 1000 : null;
  });
}

const integral = (
  { slots }: DaySlots,
  { factor, offset }: Pick<PlannedSensor, 'factor' | 'offset'>,
): number => slots.reduce((sum, [, mean]) => sum + Math.max(0, mean * factor + offset) * SLOT_H, 0);

interface Stream {
  device: string;
  table: string;
  source: string;
  field: string;
}

function daySlotsOf(
  reader: WholeWorkgroup,
  { zone }: PlannedDevice,
  { days }: ExtractMonth,
  streams: readonly Stream[],
) {
  const edges = [...days, dayAfter(days.at(-1) ?? '')].map((day) => startOf(day, zone));
  return reader.daySlots({
    table: streams[0]?.table ?? '',
    fields: [...new Set(streams.map(({ field }) => field))],
    streams: [...new Map(streams.map(({ device, source }) => [source, { device, source }])).values()],
    edges,
    stepMs: SLOT_MS,
  });
}

/** Days that have a value above nothing, the sum, and each day. */
function summed(values: readonly (number | null)[]): Line {
  const known = values.filter((value): value is number => value !== null);
  const total = known.reduce((sum, value) => sum + value, 0);
  return [
    known.filter((value) => value > 0).length,
    known.length > 0 ? rounded(total) : null,
    ...values.map(rounded),
  ];
}

const rounded = <T extends number | null>(value: T): T =>
  (value === null ? value : Math.round(value * 1000) / 1000) as T;

/** Energy of each tracker by day where its field is a power, otherwise the mean of the day. */
export async function mpptCsv(
  { workgroup, plan, month }: ExtractOf,
  known: readonly KnownSource[],
  trackers: EnergyConfigs['mppt-extract-config']['trackers'],
  telemetry: Telemetry,
): Promise<string> {
  const reader = telemetry.asSystem('energy', workgroup);
  const lines: Line[] = [
    ['name', 'deviceId', 'source', 'tracker', 'unit', 'Available days', 'Total', ...month.days],
  ];
  for (const planned of plan.values()) {
    const own = known.filter(({ deviceId }) => deviceId === planned.device.id);
    const wanted = own.flatMap(({ table, source, fields }) =>
      fields.flatMap(({ name, units }) => {
        const tracker = trackers.find((one) => one.table === table && one.field === name);
        if (trackers.length > 0 ? !tracker : !TRACKER.test(name)) return [];
        const unit = readUnit(units);
        return [
          { device: planned.device.id, table, source, field: name, name: tracker?.name ?? name, units, unit },
        ];
      }),
    );
    for (const [table, all] of Map.groupBy(wanted, (one) => one.table)) {
      const sources = [...new Set(all.map(({ source }) => source))];
      for (let at = 0; at < sources.length; at += STREAMS) {
        const some = new Set(sources.slice(at, at + STREAMS));
        const streams = all.filter(({ source }) => some.has(source)).map((one) => ({ ...one, table }));
        const slots = await daySlotsOf(reader, planned, month, streams);
        for (const { source, field, name, unit, units } of streams) {
          const isPower = unit?.dimension === 'power';
          const values = month.days.map((_, day) => {
            const one = slots.find((row) => row.source === source && row.field === field && row.at === day);
            if (!one) return null;
            if (isPower) return integral(one, { factor: unit.factor / 1000, offset: 0 });
            return one.slots.reduce((sum, [, mean]) => sum + mean, 0) / one.slots.length;
          });
          const [days = null, total = null, ...each] = summed(values);
          lines.push([
            ...[planned.device.name, planned.device.id, source, name, isPower ? 'kWh' : (units ?? '')],
            ...[days, isPower ? total : null, ...each],
          ]);
        }
      }
    }
  }
  return csvOf(lines);
}
