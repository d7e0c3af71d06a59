import { afterEach, describe, expect, test } from 'vitest';
import { setZonePreference } from '../../ui/units/locale.ts';
import { isoOfField, localField } from './announcement-dates.ts';

const unchosen = { mode: 'selected', timeZone: '' } as const;
afterEach(() => setZonePreference(unchosen));

describe.each([
  ['Asia/Tokyo', '2026-11-21T23:30'],
  ['America/Los_Angeles', '2026-11-21T06:30'],
])('with the setting %s', (timeZone, shown) => {
  test('writes and reads the dates of an announcement by those clocks', () => {
    setZonePreference({ ...unchosen, timeZone });
    expect(localField('2026-11-21T14:30:00.000Z')).toBe(shown);
    expect(isoOfField(shown)).toBe('2026-11-21T14:30:00.000Z');
  });
});

test('what is no date yet is none', () => {
  expect([localField(''), isoOfField('2026-11')]).toEqual(['', '']);
});
