import { expect, test } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { countFilters, filterDevices, formatFilters, parseFilters } from './device-filters.ts';
import { judge } from './device-rows.ts';

const now = Date.parse('2026-06-01T12:00:00Z');
const rows = [
  buildDevice('Harbour', { cpuUsage: 12 }, now),
  buildDevice('Hilltop', { cpuUsage: 65 }, now),
  buildDevice('Riverside', { online: false }, now),
  buildDevice('z_spare', { online: false }, now),
].map((device) => judge(device, now));
const names = (filters: string, q = '') =>
  filterDevices(rows, parseFilters(filters), q).map(({ device }) => device.name);

test('unused hardware is left out of the list until it is asked for', () => {
  expect(names('')).toEqual(['Harbour', 'Hilltop', 'Riverside']);
  expect(names('unused')).toEqual(['z_spare']);
  expect(names('', 'spare')).toEqual(['z_spare']);
});

test('included values of one group add up, groups narrow each other, excluded ones are taken away', () => {
  expect(names('health.ok,health.warning')).toEqual(['Harbour', 'Hilltop']);
  expect(names('status.online,health.warning')).toEqual(['Hilltop']);
  expect(names('!health.danger,!health.ok')).toEqual(['Hilltop']);
});

test('what is searched for may stand in the name, the beginning of the id or the operating system', () => {
  expect(names('', 'HILL')).toEqual(['Hilltop']);
  expect(names('', rows[0]?.device.id.slice(0, 13))).toEqual(['Harbour']);
  expect(names('', 'debian')).toHaveLength(4);
});

test('filters survive the way through the address, and rubbish in it is passed over', () => {
  expect(formatFilters(parseFilters('!health.danger,nonsense,status.online'))).toBe(
    'status.online,!health.danger',
  );
  expect(formatFilters(parseFilters(undefined))).toBeUndefined();
});

test('counts are of the devices in use', () => {
  expect(countFilters(rows)).toMatchObject({
    'status.online': 2,
    'status.offline': 1,
    'health.danger': 1,
    'health.warning': 1,
    unused: 1,
  });
});
