import type { Energy } from '../energy/energy.service.ts';

/** Source of what the demo brings along. */
type Maker = { userId: string; email: string; address: string };

interface DemoMeterSite {
  /** Name of the device. */
  device: string;
  id: string;
  name: string;
  code: string;
  kWp: number;
  /** Of every month of the year, from January on, kWh/kWp. */
  monthlyYield: readonly number[];
}

const SITES: readonly DemoMeterSite[] = [
  {
    device: 'Hilltop',
    id: '7f0a4f0e-5f0b-4b52-9d58-0d6b7a3c1e01',
    name: 'Hilltop winery',
    code: 'HILLTOP-PV',
    kWp: 61.6,
    monthlyYield: [177, 152, 148, 115, 91, 78, 85, 103, 126, 152, 168, 178],
  },
  {
    device: 'Riverside',
    id: '7f0a4f0e-5f0b-4b52-9d58-0d6b7a3c1e02',
    name: 'Riverside works',
    code: 'RIVERSIDE-PV',
    kWp: 378,
    monthlyYield: [82, 96, 131, 146, 160, 165, 164, 150, 131, 110, 84, 74],
  },
  {
    device: 'Harbour',
    id: '7f0a4f0e-5f0b-4b52-9d58-0d6b7a3c1e03',
    name: 'Harbour cold store',
    code: 'HARBOUR-PV',
    kWp: 1555,
    monthlyYield: [126, 113, 134, 140, 139, 132, 142, 151, 151, 157, 148, 138],
  },
];

/** Of the energy, cables and transformer take so much, and more where a lot flows. */
const CABLE = { always: 0.009, atFullDay: 0.008, fullDayYieldH: 6 };
const MONTHS = { before: 13, after: 11 };
/** Readings of one upload. */
const KEYS = 500;

/** The configurations of the reports, meters with their sites, and budgets, as far as nobody has made them. */
export async function prepareEnergy(
  energy: Energy,
  workgroup: string,
  devices: ReadonlyMap<string, string>,
  by: Maker,
): Promise<void> {
  const kept = await energy.configs.kept(workgroup);
  const sites = SITES.flatMap(({ device, id, name, code }) => {
    const deviceId = devices.get(device);
    return deviceId === undefined ? [] : [{ id, name, codes: [code], devices: [deviceId] }];
  });
  const wanted = {
    'daily-energy-config': {},
    'performance-ratio-config': { band: { from: -0.03, to: 0 }, systemFactor: 0.9 },
    'capacity-factor-config': { basis: 'ac' },
    'availability-config': { variant: 'inverter' },
    'iec-perf-ratio-config': { gammaPerK: -0.0035, referenceTemperatureC: 45 },
    'mppt-extract-config': {},
    'meter-data-config': { codes: SITES.map(({ code }) => ({ code, counts: 'production' })), sites },
  } as const;
  for (const [name, value] of Object.entries(wanted) as [keyof typeof wanted, object][])
    if (kept.get(name)?.version === 0) await energy.configs.set(workgroup, name, { value }, by);
  if (kept.get('meter-data-config')?.version === 0)
    await energy.meterData.putBudgets(workgroup, budgets(), by);
}

function budgets(): Record<string, number> {
  const now = new Date();
  const all: Record<string, number> = {};
  for (let i = -MONTHS.before; i <= MONTHS.after; i++) {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + i, 1));
    for (const { id, kWp, monthlyYield } of SITES)
      all[`${id}|${month.toISOString().slice(0, 7)}`] = Math.round(
        kWp * (monthlyYield[month.getUTCMonth()] ?? 0),
      );
  }
  return all;
}

/**
 * The meters behind the inverters of the demo's plants: each day that is over, what the inverters gave less what cables
 * and transformer take.
 */
export async function readMeters(
  energy: Energy,
  workgroup: string,
  devices: ReadonlyMap<string, string>,
  by: Maker,
): Promise<void> {
  const siteOf = new Map(SITES.map((site) => [devices.get(site.device), site]));
  const known = new Map(
    (
      await energy.meterData.all(
        workgroup,
        SITES.map(({ code }) => code),
      )
    ).map(({ code, day, energyKWh }) => [`${code}|${day}`, energyKWh]),
  );
  const readings = (await energy.wholeDays(workgroup)).flatMap(({ device, day, energyKWh }) => {
    const site = siteOf.get(device);
    if (!site) return [];
    const part = Math.min(1, energyKWh / site.kWp / CABLE.fullDayYieldH);
    const metered = Math.round(energyKWh * (1 - CABLE.always - CABLE.atFullDay * part) * 100) / 100;
    const key = `${site.code}|${day}`;
    return known.get(key) === metered ? [] : [[key, metered] as const];
  });
  for (let at = 0; at < readings.length; at += KEYS)
    await energy.meterData.put(
      workgroup,
      { ...Object.fromEntries(readings.slice(at, at + KEYS)), __granularity: 'day' },
      by,
    );
}
