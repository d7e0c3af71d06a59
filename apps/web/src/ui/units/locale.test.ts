import { afterEach, describe, expect, it } from 'vitest';
import '../../app/test-screen.tsx';
import { rangeLabel } from '../time-range/time-range.ts';
import { resolveZone, userZone } from '../time-range/time-zone.ts';
import { formatDay, formatInstant } from '../time-range/zoned-time.ts';
import { collator, firstDayOfWeek, localeTag, setLocale, setZonePreference } from './locale.ts';
import { formatCount, formatWhole } from './numbers.ts';
import { formatAxis, formatValue } from './units.ts';

const spoken = Object.getOwnPropertyDescriptor(Navigator.prototype, 'languages');
const speak = (...languages: string[]) =>
  Object.defineProperty(navigator, 'languages', { configurable: true, value: languages });
const AT = Date.UTC(2026, 10, 21, 13, 5, 9);

afterEach(() => {
  if (spoken) Object.defineProperty(navigator, 'languages', spoken);
  setLocale('en');
  setZonePreference({ timeZone: '', mode: 'selected' });
});

describe('numbers', () => {
  it('are written as in German, their units unchanged', () => {
    setLocale('de');
    expect(formatValue(1234.5, '%')).toBe('1.234,5 %');
    expect(formatValue(4820, 'W')).toBe('4,82 kW');
    expect(formatWhole(1_234_567)).toBe('1.234.567');
    expect(formatCount(2_500_000)).toBe('2,5 Millionen');
    expect(formatAxis([0, 2.5, 5], 'kWh')).toEqual(['0,0 kWh', '2,5 kWh', '5,0 kWh']);
  });

  it('are written as in Spanish, which groups from five digits on', () => {
    setLocale('es');
    expect(formatValue(1234.5, '%')).toBe('1234,5 %');
    expect(formatValue(12_345.5, '%')).toBe('12.345,5 %');
    expect(formatValue(4820, 'W')).toBe('4,82 kW');
    expect(formatWhole(1_234_567)).toBe('1.234.567');
  });

  it('follow the language at once, and are English again when it is', () => {
    setLocale('de');
    expect(formatValue(0.5, 'A')).toBe('0,5 A');
    setLocale('en');
    expect(formatValue(0.5, 'A')).toBe('0.5 A');
  });

  it('are those of the region where the browser speaks the language', () => {
    speak('fr-CH', 'de-CH', 'en-GB');
    setLocale('de');
    expect(localeTag()).toBe('de-CH');
    expect(formatWhole(1_234_567)).toMatch(/^1['’]234['’]567$/);
    setLocale('es');
    expect(localeTag()).toBe('es');
  });
});

describe('dates', () => {
  it('have the names of the language', () => {
    setLocale('de');
    expect(formatDay(AT, 'UTC', 'month')).toBe('Nov');
    expect(formatInstant(AT, 'UTC')).toBe('21. Nov. 2026 13:05:09');
    setLocale('es');
    expect(formatInstant(AT, 'UTC', false)).toBe('21 nov 2026 13:05');
  });

  it('begin their weeks on the day of the region', () => {
    speak('en-US');
    setLocale('en');
    expect(firstDayOfWeek()).toBe(0);
    setLocale('de');
    expect(firstDayOfWeek()).toBe(1);
    speak('en-GB');
    setLocale('en');
    expect(firstDayOfWeek()).toBe(1);
  });
});

describe('the time zone of the profile', () => {
  it('counts where a screen asks for no other, whatever the zone of the browser is', () => {
    setZonePreference({ timeZone: 'Asia/Kathmandu', mode: 'selected' });
    expect(userZone()).toBe('Asia/Kathmandu');
    expect(resolveZone('', 'America/Denver')).toBe('Asia/Kathmandu');
    expect(resolveZone('utc')).toBe('UTC');
    expect(resolveZone('collected', null)).toBe('Asia/Kathmandu');
    expect(resolveZone('local')).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
    setLocale('de');
    const day = { kind: 'absolute', from: AT, to: AT + 3_600_000 } as const;
    expect(rangeLabel(day, userZone())).toBe('21. Nov. 2026 18:50 – 19:50');
  });

  it('as collected is that of the device, and the selected one where there is none', () => {
    setZonePreference({ timeZone: 'utc', mode: 'collected' });
    expect(resolveZone('', 'America/Denver')).toBe('America/Denver');
    expect(resolveZone('', null)).toBe('UTC');
    expect(userZone()).toBe('UTC');
    expect(resolveZone('Asia/Tokyo', 'America/Denver')).toBe('Asia/Tokyo');
  });

  it('that no clock knows is that of the browser', () => {
    setZonePreference({ timeZone: 'Mars/Olympus', mode: 'selected' });
    expect(userZone()).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  });
});

it('names are ordered as the language orders them, and numbers in them by value', () => {
  setLocale('de');
  expect(['Zähler 10', 'Äcker', 'Zähler 9', 'Beta'].toSorted(collator().compare)).toEqual([
    'Äcker',
    'Beta',
    'Zähler 9',
    'Zähler 10',
  ]);
});
