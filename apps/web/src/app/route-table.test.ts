import { expect, test } from 'vitest';
import { guardWithoutScreen } from './route-table.ts';

test('a route with parameters is known by its shape', () => {
  expect(guardWithoutScreen('/control/devices/1/2')).toEqual({ addons: ['schedules'] });
  expect(guardWithoutScreen('/control/devices/1/2/3')).toBeNull();
});

test('guards of the specification stand as they are listed', () => {
  expect(guardWithoutScreen('/opsteam')).toEqual({ staff: true });
  expect(guardWithoutScreen('/analysis/')).toEqual({ restricted: true });
  expect(guardWithoutScreen('/entities/dash3/board/entity')).toEqual({ dashboardOnly: true });
  expect(guardWithoutScreen('/report/performance-ratio')).toEqual({
    settings: ['meterSites'],
    addons: ['solar-reporting'],
  });
  expect(guardWithoutScreen('/admin/workgroup/searches')).toEqual({ permissions: ['manageAccess'] });
});

test('an address that means nothing has no guard', () => {
  expect(guardWithoutScreen('/no-such-page')).toBeNull();
});
