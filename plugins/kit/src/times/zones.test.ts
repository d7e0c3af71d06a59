import { expect, test } from 'vitest';
import { instantIn, zoneOf, zoneOffsets } from './zones.ts';

const shownIn = (zone: string, shown: string, isSummer: boolean) =>
  new Date(instantIn(zone, Date.parse(`${shown}Z`), isSummer)).toISOString().slice(0, 16);

test.each([
  ['Europe/Berlin', '2026-01-15T12:00', false, '2026-01-15T11:00'],
  ['Europe/Berlin', '2026-07-15T12:00', true, '2026-07-15T10:00'],
  // A clock that never says summer.
  ['Europe/Berlin', '2026-07-15T12:00', false, '2026-07-15T10:00'],
  // The doubled hour of autumn, and the one that spring leaves out.
  ['Europe/Berlin', '2026-10-25T02:30', true, '2026-10-25T00:30'],
  ['Europe/Berlin', '2026-10-25T02:30', false, '2026-10-25T01:30'],
  ['Europe/Berlin', '2026-03-29T02:30', false, '2026-03-29T01:30'],
  // A clock that changes some minutes late.
  ['Europe/Berlin', '2026-10-25T03:05', true, '2026-10-25T01:05'],
  ['Australia/Adelaide', '2026-01-15T12:00', false, '2026-01-15T01:30'],
  ['Asia/Kolkata', '2026-07-15T12:00', false, '2026-07-15T06:30'],
  ['America/St_Johns', '2026-11-01T01:30', false, '2026-11-01T05:00'],
  ['UTC', '2026-07-15T12:00', false, '2026-07-15T12:00'],
])('in %s a clock at %s (summer: %s) means %s UTC', (zone, shown, isSummer, wanted) => {
  expect(shownIn(zone, shown, isSummer)).toBe(wanted);
});

test('zones are known by name, and a name that is none is refused', () => {
  expect([zoneOf('utc', 'time_zone'), zoneOf('europe/berlin', 'time_zone')]).toEqual([
    'UTC',
    'Europe/Berlin',
  ]);
  expect(zoneOf('local', 'time_zone')).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(() => zoneOf('Berlin', 'time_zone')).toThrow(/time_zone: "Berlin" is neither/);
  expect(zoneOffsets('Europe/Berlin', 2026)).toEqual({ standardMinutes: 60, summerMinutes: 120 });
});
