import { expect, test } from 'vitest';
import { newUnknownZone, unknownZones } from './zone-facts.ts';

test('a zone that no clock knows is found, also among values with dates', () => {
  expect(unknownZones({ Timezone: 'Mars/Phobos', kWp: 5 })).toEqual([
    { path: 'Timezone', zone: 'Mars/Phobos' },
  ]);
  const dated = [
    { from: null, value: 'Europe/Berlin' },
    { from: '2026-01-01', value: 'Europe/Berln' },
  ];
  expect(unknownZones({ timezone: dated })).toEqual([{ path: 'timezone.1.value', zone: 'Europe/Berln' }]);
  expect(unknownZones({ zone: 'Mars/Phobos' })).toHaveLength(1);
});

test('zones that clocks know, nothing, references and parts of a place are none', () => {
  const good = { timezone: 'Europe/Berlin', 'Time zone': 'UTC', timeZone: '', zone: 'Greenhouse 2' };
  expect(unknownZones({ ...good, TimeZone: { $ref: 'a.b' }, time_zone: null })).toEqual([]);
});

test('what stands already is no new one', () => {
  const before = { timezone: 'Mars/Phobos' };
  expect(newUnknownZone({ ...before, name: 'x' }, before)).toBeUndefined();
  expect(newUnknownZone({ timezone: 'Mars/Deimos' }, before)).toEqual({
    path: 'timezone',
    zone: 'Mars/Deimos',
  });
});
