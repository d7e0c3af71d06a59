import { describe, expect, test } from 'vitest';
import { roledSource } from '../field-roles/source-roles.ts';
import { kindOfDevice, type ReadSource, readPlant, SILENT_MS } from './plant-reading.ts';
import { readSite } from './plant-site.ts';

const NOW = Date.UTC(2026, 5, 1, 12);

const source = (
  table: string,
  name: string,
  values: Record<string, [number | string, string?]>,
  eventAt = NOW,
): ReadSource => {
  const fields = Object.entries(values).map(([field, [, units = null]]) => ({ name: field, units }));
  const { kind, places } = roledSource({ table, source: name, fields }, []);
  const plain = Object.fromEntries(Object.entries(values).map(([field, [value]]) => [field, value]));
  return { table, source: name, kind, places, eventAt, values: plain };
};
const inverter = (name: string, kW: number, status = 'MPPT', eventAt = NOW) =>
  source('solar', name, { 'AC Power': [kW, 'kW'], Status: [status] }, eventAt);
const station = (poa: number) => source('weather', 'station', { 'Plane Irradiance': [poa, 'W/m²'] });
const meter = source('meter', 'grid', { 'AC Power': [-2000, 'W'] });
const box = source('black_box', 'Black box', { 'CPU usage': [4, '%'] });

describe('what a device is', () => {
  test('a plant has inverters, a machine something else, a computer only itself', () => {
    expect(kindOfDevice([box, inverter('inv-01', 1)])).toBe('plant');
    expect(kindOfDevice([box, source('plc', 'press', { Power: [4, 'kW'] })])).toBe('machine');
    expect(kindOfDevice([box, meter])).toBe('machine');
    expect([kindOfDevice([box]), kindOfDevice([])]).toEqual(['computer', 'computer']);
  });
});

describe('the newest values of a plant', () => {
  const of = (...sources: ReadSource[]) => readPlant(sources, { now: NOW, ratedPowerW: 50_000 });

  test('add up in watts, and what the site uses is what generation and grid leave', () => {
    const { power, grid, load, poa } = of(inverter('inv-01', 12), inverter('inv-02', 8), meter, station(640));
    expect([power.value, grid.value, load.value, poa.value]).toEqual([20_000, -2000, 18_000, 640]);
  });

  test('of an inverter that is silent are none of now, and it is told apart from one that stands', () => {
    const old = NOW - SILENT_MS - 1000;
    const { power, inverters } = of(
      inverter('inv-10', 12),
      inverter('inv-2', 0),
      inverter('inv-3', 0, 'Fault'),
      inverter('inv-4', 9, 'MPPT', old),
      station(640),
    );
    expect(power.value).toBe(12_000);
    expect(inverters.map(({ source, state }) => [source, state])).toEqual([
      ['inv-2', 'standing'],
      ['inv-3', 'fault'],
      ['inv-4', 'silent'],
      ['inv-10', 'producing'],
    ]);
    expect(inverters[2]?.power).toEqual({ value: null, at: old, missing: 'silent' });
  });

  test('at night no inverter stands', () => {
    expect(of(inverter('inv-01', 0, 'Sleeping'), station(0)).inverters[0]?.state).toBe('idle');
    expect(of(inverter('inv-01', 0, 'Sleeping')).inverters[0]?.state).toBe('idle');
  });

  test('that are missing say why', () => {
    const { poa, power, load } = of(inverter('inv-01', 3, 'MPPT', NOW - 2 * SILENT_MS));
    expect(poa).toEqual({ value: null, at: null, missing: 'noSource' });
    expect([power.missing, load.missing]).toEqual(['silent', 'silent']);
  });
});

describe('the general information', () => {
  test('tells place, zone, powers and planes', () => {
    const info = {
      latitude: '-33.93',
      Longitude: '18,86',
      TimeZone: 'Africa/Johannesburg',
      'Rated Power': '50 kW',
    };
    expect(readSite({ ...info, 'Peak power': '0.0616 MWp', Azimuth: '0, 20', Slope: '28' })).toEqual({
      latitudeDeg: -33.93,
      longitudeDeg: 18.86,
      timeZone: 'Africa/Johannesburg',
      ratedPowerW: 50_000,
      peakPowerW: 61_600,
      planes: [
        { azimuthDeg: 0, tiltDeg: 28 },
        { azimuthDeg: 20, tiltDeg: 28 },
      ],
    });
  });

  test('that nobody can read is not there', () => {
    expect(
      readSite({ Latitude: 'north', Longitude: '181', Timezone: 'Mars/Olympus', 'Rated power': '5 V' }),
    ).toEqual({
      latitudeDeg: null,
      longitudeDeg: null,
      timeZone: null,
      ratedPowerW: null,
      peakPowerW: null,
      planes: [],
    });
  });
});
