/** Values that the specification gives and that nothing else looks at as a whole. */
import { expect, test } from 'vitest';
import { ADDON_IDS } from './access/addons.ts';
import { ROLES } from './access/permissions.ts';
import { ALL_RESOURCES, RESOURCE_ACTIONS } from './access/resources.ts';
import { principalType } from './access-control/access-control.schema.ts';
import { BRAND } from './branding/colours.ts';
import { isImageName } from './photos/photo-type.ts';
import {
  askedFrequency,
  compareVersions,
  PLUGIN_CATEGORIES,
  RUN_INTERVALS,
} from './plugins/plugins.schema.ts';
import { AGENT_LOG_DIRECTORY } from './product.ts';
import { savedSearch } from './searches/searches.schema.ts';
import { SOCKET_PATH } from './sockets/action.ts';
import { SEARCH_ROWS, searchQuery } from './telemetry/search.schema.ts';

test('versions are compared in their first three parts', () => {
  expect(compareVersions('1.10.0', '1.9.9')).toBeGreaterThan(0);
  expect(compareVersions('2.0', '2.0.0.7')).toBe(0);
  expect(compareVersions('1.2.3', '1.2.4')).toBeLessThan(0);
});

test('pictures are known by these extensions, in any letters', () => {
  const names = [
    'a.jpg',
    'a.JPEG',
    'a.png',
    'a.gif',
    'a.bmp',
    'a.webp',
    'a.svg',
    'a.pdf',
    'jpg',
    'a.jpg.exe',
  ];
  expect(names.filter(isImageName)).toEqual(names.slice(0, 7));
});

test('frequencies of tasks have a folder each, and folders their seconds', () => {
  const asked = '1min 2min 5min 10min 15min 30min hourly 6hourly 12hourly daily'.split(' ');
  const seconds = asked.map((one) => RUN_INTERVALS[askedFrequency.parse(one)]);
  expect(seconds).toEqual([60, 120, 300, 600, 900, 1800, 3600, 21_600, 43_200, 86_400]);
  const folders = '5s 30s 1m 2m 5m 10m 15m 30m 1h 6h 12h 1d'.split(' ');
  expect(Object.keys(RUN_INTERVALS)).toEqual(expect.arrayContaining(folders));
});

test('a plugin is one of 17 categories, the last of which is for those of none', () => {
  expect(PLUGIN_CATEGORIES).toHaveLength(17);
  expect(PLUGIN_CATEGORIES.at(-1)).toBe('other');
});

test('roles, resources with their actions, principals and addons are those of the specification', () => {
  expect(ROLES).toEqual(['owner', 'admin', 'power', 'readonly']);
  expect(RESOURCE_ACTIONS.DeviceCommand).toEqual(['read', 'run', 'manage']);
  expect(RESOURCE_ACTIONS.Dashboard).toEqual(['view', 'edit', 'delete', 'create']);
  expect(ALL_RESOURCES).toBe('all');
  expect(principalType.options).toHaveLength(9);
  const addons =
    'daily-energy solar-reporting iec-perf-ratio calculations machines availability mppt-extract entities schedules ced access-control';
  expect(ADDON_IDS).toEqual(expect.arrayContaining(addons.split(' ')));
});

test('a search has 50 rows, at most 10000, and all of its filters hold; a saved one begins with the newest', () => {
  expect(SEARCH_ROWS).toEqual({ default: 50, max: 10_000 });
  expect(searchQuery.parse({}).filterOperator).toBe('AND');
  expect(savedSearch.shape.sort.parse(undefined)).toBe('-event_time');
});

test('what has no brand has these colours, and paths and folders are called so', () => {
  expect([BRAND.primary, BRAND.secondary, BRAND.accent]).toEqual(['#b0c748', '#86afbc', '#9C27B0']);
  expect(SOCKET_PATH).toBe('/socket.io-client');
  expect(AGENT_LOG_DIRECTORY).toHaveLength(17);
});
