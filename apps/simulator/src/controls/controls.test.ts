import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import modbusSerial from 'modbus-serial';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Plant } from '../plants/plant.ts';
import { findPlant } from '../plants/plants.ts';
import { PlantServer } from '../sunspec/modbus-server.ts';
import { type Behaviour, parseBehaviour } from './behaviours.ts';
import { PlantControls } from './plant-controls.ts';

type Client = InstanceType<typeof modbusSerial.default>;
/** Two hours of sun begin at hilltop. */
const NOON = Date.UTC(2026, 2, 6, 10);
const stops: (() => Promise<void>)[] = [];
let folder = '';
let now = NOON;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-controls-'));
  now = NOON;
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  rmSync(folder, { recursive: true, force: true });
});

const plantOf = (slug: string, behaviour?: Behaviour, file: string | null = null) => {
  // Counters add up every day since they began.
  const description = { ...findPlant(slug), commissionedAt: NOON - 86_400_000 };
  const behaviours = behaviour ? [{ unit: 1, behaviour }] : [];
  return new Plant(description, new PlantControls(description, { file, behaviours }));
};

async function connect(plant: Plant): Promise<Client> {
  const server = new PlantServer(plant, () => now);
  const port = await server.start('127.0.0.1', 0);
  const client = new modbusSerial.default();
  await client.connectTCP('127.0.0.1', { port });
  client.setID(1);
  client.setTimeout(1000);
  stops.push(async () => {
    await new Promise<void>((resolve) => client.close(() => resolve()));
    await server.stop();
  });
  return client;
}

/** Address of a model, found as a master does. */
async function modelAt(client: Client, id: number): Promise<number> {
  for (let address = 40_002; ; ) {
    const [found = 0xffff, length = 0] = (await client.readHoldingRegisters(address, 2)).data;
    if (found === id) return address;
    if (found === 0xffff) throw new Error(`no model ${id}`);
    address += 2 + length;
  }
}

const powerW = (plant: Plant, at: number, unit = 1) => plant.inverter(unit, at).acPowerW;

test('without writes a plant that takes them is the plant that takes none', () => {
  for (const slug of ['hilltop', 'riverside']) {
    const description = { ...findPlant(slug), commissionedAt: NOON - 86_400_000 };
    const [plain, writable] = [new Plant(description), plantOf(slug)];
    for (let hour = 0; hour < 24; hour++) {
      const at = NOON + hour * 3_600_000;
      expect(writable.inverter(1, at)).toEqual(plain.inverter(1, at));
      expect(writable.meter(at)).toEqual(plain.meter(at));
    }
  }
});

test('a limit written with function 6 ramps down, is throttled, reaches the meter, and ends by its own timer', async () => {
  const plant = plantOf('hilltop');
  const client = await connect(plant);
  const at = await modelAt(client, 123);
  const [before, meterBefore] = [powerW(plant, now), plant.meter(now)];
  expect(before).toBeGreaterThan(20_000);
  for (const [offset, value] of [
    [8, 60],
    [7, 600],
    [5, 4000],
    [9, 1],
  ] as const)
    await client.writeRegister(at + offset, value);
  expect((await client.readHoldingRegisters(at + 5, 5)).data).toEqual([4000, 0, 600, 60, 1]);
  expect(powerW(plant, now)).toBe(before);
  expect(powerW(plant, now + 30_000)).toBeCloseTo(25_000 * 0.7, 0);
  const limited = plant.inverter(1, now + 60_000);
  expect(limited).toMatchObject({ state: 'throttled', acPowerW: 10_000 });
  expect(limited.dcPowerW).toBeGreaterThan(10_000);
  expect(limited.dcPowerW).toBeLessThan(10_500);
  expect(plant.meter(now + 60_000).powerW - meterBefore.powerW).toBeGreaterThan(8000);
  expect(powerW(plant, now + 599_000)).toBe(10_000);
  expect(powerW(plant, now + 600_000)).toBeGreaterThan(20_000);
  now += 600_000;
  expect((await client.readHoldingRegisters(at + 9, 1)).data).toEqual([0]);
});

test('cos phi and reactive power are followed within the rating', async () => {
  const plant = plantOf('hilltop');
  const client = await connect(plant);
  const at = await modelAt(client, 123);
  await client.writeRegisters(at + 10, [0x1_0000 - 950, 0, 0, 0, 1]);
  const under = plant.inverter(1, now);
  expect(under.reactivePowerVar).toBeCloseTo(-under.acPowerW * Math.tan(Math.acos(0.95)), 0);
  await client.writeRegister(at + 14, 0);
  await client.writeRegisters(at + 15, [200, 300, 1000, 0, 0, 0, 1, 1]);
  expect(plant.inverter(1, now).reactivePowerVar).toBeCloseTo(5000, 0);
  await client.writeRegister(at + 21, 2);
  expect(plant.inverter(1, now).reactivePowerVar).toBeCloseTo(0.3 * 15_000, 0);
  await client.writeRegister(at + 21, 3);
  const { acPowerW, reactivePowerVar } = plant.inverter(1, now);
  expect(Math.hypot(acPowerW, reactivePowerVar)).toBeLessThanOrEqual(27_500.001);
  expect(reactivePowerVar).toBeGreaterThan(9000);
  expect(plant.meter(now).reactivePowerVar).not.toBe(
    new Plant(plant.description).meter(now).reactivePowerVar,
  );
});

test('a plant with 704 falls back when its controller is silent, and a heartbeat keeps the value', async () => {
  const plant = plantOf('riverside');
  now = Date.UTC(2026, 5, 14, 19);
  const client = await connect(plant);
  const [at, control] = [await modelAt(client, 704), await modelAt(client, 715)];
  await client.writeRegisters(at + 16, [300, 1, 0, 900]);
  await client.writeRegisters(at + 14, [1, 500]);
  await client.writeRegister(control + 4, 1);
  expect(powerW(plant, now)).toBeLessThanOrEqual(30_000);
  expect((await client.readHoldingRegisters(at + 20, 2)).data).toEqual([0, 60]);
  now += 50_000;
  await client.writeRegister(control + 4, 2);
  expect(plant.controls?.setpoints(1, now + 59_000)?.limitPct).toBe(50);
  expect(plant.controls?.setpoints(1, now + 60_000)?.limitPct).toBe(30);
  now += 3_600_000;
  expect((await client.readHoldingRegisters(at + 14, 2)).data).toEqual([1, 300]);
});

test('energy counters of limited inverters never fall or jump, and agree with the power', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          seconds: fc.integer({ min: 1, max: 4000 }),
          unit: fc.integer({ min: 1, max: 2 }),
          raw: fc.integer({ min: 0, max: 10_000 }),
          ramp: fc.constantFrom(0, 30, 400),
          timer: fc.constantFrom(0, 500, 3000),
        }),
        { minLength: 1, maxLength: 8 },
      ),
      (writes) => {
        const plant = plantOf('hilltop');
        let at = NOON;
        const seen: { at: number; wh: number; out: number; in: number }[] = [];
        const look = (when: number) => {
          const { exportedWh, importedWh } = plant.meter(when);
          seen.push({
            at: when,
            wh: plant.inverter(1, when).lifetimeEnergyWh,
            out: exportedWh,
            in: importedWh,
          });
        };
        for (const { seconds, unit, raw, ramp, timer } of writes) {
          look(at + Math.floor(seconds / 2) * 1000);
          at += seconds * 1000;
          look(at);
          const values = {
            WMaxLimPct: raw,
            WMaxLimPct_RmpTms: ramp,
            WMaxLimPct_RvrtTms: timer,
            WMaxLim_Ena: 1,
          };
          plant.controls?.write({ at, unit, values });
          look(at);
        }
        for (const [index, one] of seen.entries()) {
          const before = seen[index - 1];
          if (!before) continue;
          const most = (25_000 * (one.at - before.at)) / 3_600_000 + 1e-6;
          for (const key of ['wh', 'out', 'in'] as const) {
            expect(one[key]).toBeGreaterThanOrEqual(before[key] - 1e-6);
            expect(one[key] - before[key]).toBeLessThanOrEqual(most * (key === 'wh' ? 1 : 3));
          }
        }
        // What was seen while it happened is what the log says of it later.
        const again = plantOf('hilltop');
        for (const write of plant.controls ? writesOf(writes) : []) again.controls?.write(write);
        for (const { at: when, wh } of seen)
          expect(again.inverter(1, when).lifetimeEnergyWh).toBeCloseTo(wh, 6);
      },
    ),
    { numRuns: 25 },
  );
});

function writesOf(list: { seconds: number; unit: number; raw: number; ramp: number; timer: number }[]) {
  let at = NOON;
  return list.map(({ seconds, unit, raw, ramp, timer }) => {
    at += seconds * 1000;
    return {
      at,
      unit,
      values: {
        WMaxLimPct: raw,
        WMaxLimPct_RmpTms: ramp,
        WMaxLimPct_RvrtTms: timer,
        WMaxLim_Ena: 1,
      },
    };
  });
}

test('a limited inverter loses just what its limit takes', () => {
  const [free, limited] = [plantOf('hilltop'), plantOf('hilltop')];
  limited.controls?.write({ at: NOON, unit: 1, values: { WMaxLimPct: 0, WMaxLim_Ena: 1 } });
  const at = NOON + 3_600_000;
  expect(limited.inverter(1, at).lifetimeEnergyWh).toBeCloseTo(limited.inverter(1, NOON).lifetimeEnergyWh, 6);
  const made = free.inverter(1, at).lifetimeEnergyWh - free.inverter(1, NOON).lifetimeEnergyWh;
  const less = free.meter(at).exportedWh - limited.meter(at).exportedWh;
  const more = limited.meter(at).importedWh - free.meter(at).importedWh;
  expect(less + more).toBeCloseTo(made, 3);
});

test('writes survive a restart, a torn line is left out, and a long log is folded without losing energy', () => {
  const file = join(folder, 'hilltop.jsonl');
  const plant = plantOf('hilltop', undefined, file);
  for (let index = 0; index < 10_100; index++)
    plant.controls?.write({
      at: NOON + index * 1000,
      unit: 1,
      values: { WMaxLimPct: 2000 + (index % 7) * 100, WMaxLim_Ena: 1 },
    });
  const at = NOON + 10_200_000;
  expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThan(6000);
  appendFileSync(file, '{"at":17812');
  const again = plantOf('hilltop', undefined, file);
  expect(again.inverter(1, at)).toEqual(plant.inverter(1, at));
  const { exportedWh, ...meter } = plant.meter(at);
  expect(again.meter(at)).toEqual({ ...meter, exportedWh: expect.closeTo(exportedWh, 6) });
  again.controls?.write({ at, unit: 1, values: { WMaxLim_Ena: 0 } });
  expect(powerW(plantOf('hilltop', undefined, file), at)).toBeGreaterThan(15_000);
});

test.each<[Behaviour, RegExp | null, number]>([
  ['function-16-only', /exception 1/, 100],
  ['function-6-only', null, 40],
  ['changes-nothing', null, 100],
  ['ignores', /timed out/i, 100],
  ['local-mode', /exception 4/, 100],
  ['rounds-up', null, 50],
])('an inverter that %s', async (behaviour, refusal, percent) => {
  const plant = plantOf('hilltop', behaviour);
  const client = await connect(plant);
  const at = await modelAt(client, 123);
  const write = async (offset: number, value: number) => {
    const done = client.writeRegister(at + offset, value);
    if (refusal) await expect(done).rejects.toThrow(refusal);
    else await done;
  };
  await write(5, 4000);
  if (behaviour !== 'ignores') await write(9, 1);
  expect(plant.controls?.setpoints(1, now)?.limitPct ?? 100).toBe(percent);
  if (behaviour === 'function-6-only')
    await expect(client.writeRegisters(at + 5, [1])).rejects.toThrow(/exception 1/);
  if (behaviour === 'function-16-only') await client.writeRegisters(at + 5, [4000]);
});

test('an inverter that listens to the enable alone takes a value when it goes from 0 to 1', async () => {
  const plant = plantOf('hilltop', 'enable-edge');
  const client = await connect(plant);
  const at = await modelAt(client, 123);
  const limit = () => plant.controls?.setpoints(1, now)?.limitPct;
  await client.writeRegister(at + 5, 4000);
  await client.writeRegister(at + 9, 1);
  await client.writeRegister(at + 5, 2000);
  await client.writeRegister(at + 9, 1);
  expect([limit(), (await client.readHoldingRegisters(at + 5, 1)).data[0]]).toEqual([40, 2000]);
  await client.writeRegister(at + 9, 0);
  await client.writeRegister(at + 9, 1);
  expect(limit()).toBe(20);
});

test('another controller writes now and then, and a factory may leave the limit enabled at 100 %', async () => {
  const plant = plantOf('hilltop', 'foreign-writer');
  const client = await connect(plant);
  const at = await modelAt(client, 123);
  await client.writeRegisters(at + 5, [4000, 0, 0, 0, 1]);
  now += 600_000;
  expect((await client.readHoldingRegisters(at + 5, 1)).data).toEqual([8000]);
  const made = plantOf('hilltop', 'factory-enabled').controls?.state(1, now).points;
  expect(made).toMatchObject({ WMaxLim_Ena: 1, WMaxLimPct: 10_000 });
});

test('what no inverter takes is refused, and changes nothing', async () => {
  const plant = plantOf('hilltop');
  const client = await connect(plant);
  const at = await modelAt(client, 123);
  await expect(client.writeRegister(at + 5, 10_001)).rejects.toMatchObject({ modbusCode: 3 });
  await expect(client.writeRegister(at + 9, 2)).rejects.toMatchObject({ modbusCode: 3 });
  await expect(client.writeRegister(at + 23, 0)).rejects.toMatchObject({ modbusCode: 2 });
  await expect(client.writeRegisters(at + 22, [1, 0])).rejects.toMatchObject({ modbusCode: 2 });
  client.setID(100);
  await expect(client.writeRegister(at + 5, 1)).rejects.toMatchObject({ modbusCode: 1 });
  expect(plant.controls?.isUsed(now)).toBe(false);
  expect(() => parseBehaviour('2=sulks')).toThrow(/there are ignores/);
});
