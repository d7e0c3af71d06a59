import type { Caller } from '../access/caller.ts';
import type { FieldRoles } from '../field-roles/field-roles.service.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { type PastPower, QUARTER_MS } from './curtailed-energy.ts';

const DAY_MS = 86_400_000;
const DAYS = 7;
const QUARTERS = DAY_MS / QUARTER_MS;

/** What the inverters of a device gave over the last 7 whole days (UTC), by quarter of an hour. */
export async function pastPowerOf(
  { roles, telemetry }: { roles: FieldRoles; telemetry: Telemetry },
  caller: Caller,
  device: string,
  now: number,
): Promise<PastPower> {
  const sources = (await roles.latest(caller, device)).filter(
    ({ kind, places }) => kind === 'inverter' && places.acPower,
  );
  const series = sources.map(({ table, source, places }) => ({
    ...{ device, table, source, field: places.acPower?.field ?? '' },
  }));
  const to = Math.floor(now / DAY_MS) * DAY_MS;
  const from = to - DAYS * DAY_MS;
  const points =
    series.length === 0 ? [] : await telemetry.for(caller).buckets({ from, to, stepMs: QUARTER_MS, series });
  const sums = Array.from({ length: QUARTERS }, () => ({ powerW: 0, slots: new Set<number>() }));
  for (const [i, { times, avg }] of points.entries()) {
    const place = sources[i]?.places.acPower;
    for (const [n, at] of times.entries()) {
      const value = avg[n];
      const sum = sums[Math.floor((at % DAY_MS) / QUARTER_MS)];
      if (value === null || value === undefined || !sum || !place) continue;
      sum.powerW += value * place.factor + place.offset;
      sum.slots.add(Math.floor(at / QUARTER_MS));
    }
  }
  return { quarters: sums.map(({ powerW, slots }) => (slots.size === 0 ? null : powerW / slots.size)) };
}
