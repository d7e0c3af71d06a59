import { expect, test } from 'vitest';
import type { TelemetryReader } from '../telemetry/telemetry.service.ts';
import { inputsOf, type PastQuery, PlantFindings } from './plant-findings.ts';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 4, 20, 12);

test('late events of a day that findings rest on have them computed again, and no others', async () => {
  let reads = 0;
  const buckets: TelemetryReader['buckets'] = async ({ from, stepMs }) => {
    reads += 1;
    const times = Array.from({ length: 45 * 24 }, (_, i) => from + i * stepMs);
    const values = times.map((at) => (new Date(at).getUTCHours() === 12 ? 1000 : 0));
    return [{ stepMs, times, min: values, avg: values, max: values }];
  };
  const source = {
    table: 'inverter',
    source: 'inv-1',
    kind: 'inverter',
    places: { acPower: { field: 'AC Power', factor: 1, offset: 0 } },
  };
  const query = (now: number) =>
    ({ device: 'roof', sources: [source], zone: 'UTC', reader: { buckets }, now }) as unknown as PastQuery;
  const findings = new PlantFindings();
  const ask = async (now: number) => {
    await findings.of(query(now));
    return reads;
  };
  expect([await ask(NOON), await ask(NOON + 1000)]).toEqual([1, 1]);
  findings.late('roof', NOON - 3_600_000, NOON);
  findings.late('roof', NOON - 60 * DAY_MS, NOON);
  findings.late('hall', NOON - 3 * DAY_MS, NOON);
  expect(await ask(NOON + 120_000)).toBe(1);
  findings.late('roof', NOON - 3 * DAY_MS, NOON + 120_000);
  // Not before the store has the events.
  expect(await ask(NOON + 150_000)).toBe(1);
  expect(await ask(NOON + 190_000)).toBe(2);
});

test('inputs are one row of numbered fields, however they are written', () => {
  const seen = (...fields: string[]) => [...inputsOf(fields)];
  expect(seen('dc_power_1', 'dc_power_2', 'ac_power')).toEqual([
    ['1', 'dc_power_1'],
    ['2', 'dc_power_2'],
  ]);
  expect(seen('string_4_current', 'PV2 Current', 'string_5_current').map(([, field]) => field)).toEqual([
    'string_4_current',
    'string_5_current',
  ]);
  const strings = ['String 1 Current', 'String 2 Current', 'String 3 Current'];
  const trackers = ['MPPT 1 Current', 'MPPT 2 Current'];
  expect(seen(...strings, ...trackers).map(([, field]) => field)).toEqual(strings);
  // Power says more than current.
  expect(seen(...strings, 'MPPT 1 Power', 'MPPT 2 Power').map(([, field]) => field)).toEqual([
    'MPPT 1 Power',
    'MPPT 2 Power',
  ]);
});
