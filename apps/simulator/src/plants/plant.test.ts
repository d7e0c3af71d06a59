import { sunPosition } from '@albedo/energy/sun';
import { expect, test } from 'vitest';
import { FaultHistory, faultOfCycle } from './faults.ts';
import { Plant } from './plant.ts';
import { findPlant, PLANTS } from './plants.ts';

const HOUR_MS = 3_600_000;
const NOON = Date.UTC(2026, 5, 14, 12);

test('the same instant gives the same values, whatever was asked before', () => {
  const one = new Plant(findPlant('hilltop'));
  const other = new Plant(findPlant('hilltop'));
  for (let hour = 0; hour < 100; hour++) other.inverter(2, NOON - hour * 7 * HOUR_MS);
  expect(other.inverter(1, NOON)).toEqual(one.inverter(1, NOON));
  expect(other.meter(NOON - 300 * 24 * HOUR_MS)).toEqual(one.meter(NOON - 300 * 24 * HOUR_MS));
  expect(other.station(NOON)).toEqual(one.station(NOON));
});

test('an energy counter never falls and agrees with the power over a day', () => {
  const plant = new Plant(findPlant('riverside'));
  const midnight = Date.UTC(2026, 4, 3, 6);
  let summedWh = 0;
  let last = plant.inverter(3, midnight).lifetimeEnergyWh;
  const before = last;
  for (let at = midnight; at < midnight + 24 * HOUR_MS; at += 60_000) {
    const state = plant.inverter(3, at);
    expect(state.lifetimeEnergyWh).toBeGreaterThanOrEqual(last);
    last = state.lifetimeEnergyWh;
    summedWh += state.acPowerW / 60;
  }
  expect((last - before) / summedWh).toBeGreaterThan(0.95);
  expect((last - before) / summedWh).toBeLessThan(1.05);
  expect(summedWh).toBeGreaterThan(100_000);
});

test('a counter has no step where two days meet', () => {
  const plant = new Plant(findPlant('harbour'));
  const midnight = Date.UTC(2026, 0, 10);
  const around = [midnight - 1000, midnight, midnight + 1000].map(
    (at) => plant.inverter(7, at).lifetimeEnergyWh,
  );
  expect((around[2] ?? 0) - (around[0] ?? 0)).toBeLessThan((100_000 * 2) / 3600 + 0.01);
  expect(around[1]).toBeGreaterThanOrEqual(around[0] ?? Number.NaN);
});

test.each(PLANTS.map((plant) => [plant.slug]))(
  '%s gives a plausible yield over a year and clips at times',
  (slug) => {
    const description = findPlant(slug);
    const plant = new Plant(description);
    const ratedKw = (description.inverter.inputPowerW * description.inverter.inputs) / 1000;
    const wh =
      plant.inverter(1, NOON).lifetimeEnergyWh -
      plant.inverter(1, NOON - 365 * 24 * HOUR_MS).lifetimeEnergyWh;
    expect(wh / 1000 / ratedKw).toBeGreaterThan(1100);
    expect(wh / 1000 / ratedKw).toBeLessThan(1900);
  },
);

// A year from midnight to midnight of the plant, with the faults that it has.
test.each([
  ['hilltop', 7, 89.7, 0.88, 0.55],
  ['riverside', -7, 502.8, 0.87, 0.87],
  ['harbour', 9.5, 2303, 0.88, 0.75],
] as const)('%s makes of a year what the demo is known for', (slug, clockHours, mwh, ratio, ownUse) => {
  const description = findPlant(slug);
  const { inverters, inverter } = description;
  const to = Date.UTC(2026, 10, 20) - clockHours * HOUR_MS;
  const from = to - 365 * 24 * HOUR_MS;
  // Counters add up every day since they began.
  const plant = new Plant({ ...description, commissionedAt: from });
  const made = (at: number) =>
    plant.inverters.reduce((sum, _, i) => sum + plant.inverter(i + 1, at).lifetimeEnergyWh, 0);
  const energyWh = made(to) - made(from);
  const exportedWh = plant.meter(to).exportedWh - plant.meter(from).exportedWh;
  let irradiationWh = 0;
  for (let at = from; at < to; at += HOUR_MS / 4) irradiationWh += plant.station(at).poaWm2 / 4;
  const peakW = inverters * inverter.inputs * inverter.inputPowerW;
  expect(Math.abs(energyWh / 1e6 / mwh - 1)).toBeLessThan(0.01);
  expect(energyWh / ((irradiationWh * peakW) / 1000)).toBeCloseTo(ratio, 2);
  expect(1 - exportedWh / energyWh).toBeCloseTo(ownUse, 2);
});

test('days have different weather, and clouds change the power within minutes', () => {
  const plant = new Plant(findPlant('hilltop'));
  const daily = Array.from({ length: 60 }, (_, day) => {
    const at = NOON - day * 24 * HOUR_MS;
    return plant.inverter(1, at).lifetimeEnergyWh - plant.inverter(1, at - 24 * HOUR_MS).lifetimeEnergyWh;
  });
  expect(Math.max(...daily)).toBeGreaterThan(2 * Math.min(...daily));
  let steepest = 0;
  for (let day = 0; day < 20; day++) {
    for (let minute = 0; minute < 240; minute++) {
      const at = NOON - day * 24 * HOUR_MS - minute * 60_000;
      steepest = Math.max(
        steepest,
        Math.abs(plant.inverter(1, at).acPowerW - plant.inverter(1, at - 60_000).acPowerW),
      );
    }
  }
  expect(steepest).toBeGreaterThan(1500);
});

test('an inverter sleeps at night, never exceeds its rating and loses energy on the way', () => {
  const plant = new Plant(findPlant('hilltop'));
  expect(plant.inverter(1, NOON - 11 * HOUR_MS)).toMatchObject({
    state: 'sleeping',
    acPowerW: 0,
    dcPowerW: 0,
  });
  const seen = new Set<string>();
  for (let at = NOON - 90 * 24 * HOUR_MS; at < NOON; at += 13 * 60_000) {
    const { state, acPowerW, dcPowerW, inputs } = plant.inverter(1, at);
    seen.add(state);
    expect(acPowerW).toBeLessThanOrEqual(25_000);
    if (acPowerW > 0) expect(acPowerW / dcPowerW).toBeLessThan(0.99);
    for (const input of inputs) expect(input.currentA * input.voltageV).toBeCloseTo(input.powerW, 3);
  }
  expect([...seen].sort()).toEqual(['fault', 'mppt', 'sleeping', 'starting', 'throttled']);
});

test('the meter balances load and production, and counts export and import apart', () => {
  const plant = new Plant(findPlant('hilltop'));
  const day = plant.meter(NOON);
  const night = plant.meter(NOON + 11 * HOUR_MS);
  expect(day.powerW).toBeLessThan(0);
  expect(night.powerW).toBeGreaterThan(0);
  expect(night.exportedWh).toBeGreaterThan(day.exportedWh);
  expect(plant.meter(NOON + 10 * HOUR_MS).exportedWh).toBe(night.exportedWh);
});

test.each([['string_loss'], ['trip'], ['stuck_sensor'], ['lost_communication']] as const)(
  '%s happens now and then and ends again',
  (kind) => {
    const history = new FaultHistory(7, 'inv-01', kind);
    let hours = 0;
    for (let hour = 0; hour < 3 * 8760; hour += 0.25) hours += history.at(NOON - hour * HOUR_MS) ? 0.25 : 0;
    expect(hours).toBeGreaterThan(0);
    expect(hours / (3 * 8760)).toBeLessThan(0.12);
  },
);

test('a stuck sensor repeats one value while the air changes', () => {
  const description = findPlant('hilltop');
  const history = new FaultHistory(description.seed, 'station', 'stuck_sensor');
  const plant = new Plant(description);
  let at = NOON;
  while (!history.at(at)) at -= HOUR_MS;
  const fault = history.at(at);
  const [first, later] = [plant.station(fault?.from ?? 0), plant.station((fault?.to ?? 0) - 1000)];
  expect(later.poaWm2).toBe(first.poaWm2);
  expect(later.weather.ambientC).not.toBe(first.weather.ambientC);
});

test('at any hour of the year one plant has daylight, and one a string that fell out', () => {
  for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += HOUR_MS) {
    const heights = PLANTS.map(
      ({ site }) => sunPosition(at, site.latitudeDeg, site.longitudeDeg).elevationDeg,
    );
    expect(Math.max(...heights)).toBeGreaterThan(10);
    expect(PLANTS.some(({ wornStrings }) => wornStrings && faultOfCycle(at, wornStrings))).toBe(true);
  }
});
