import { describe, expect, it } from 'vitest';
import '../../app/test-screen.tsx';
import {
  fromCalendarFields,
  type PresetName,
  presetLabel,
  rangeFromText,
  rangeLabel,
  rangeToText,
  refreshIntervalMs,
  resolveRange,
  SHORT_PRESETS,
  STANDARD_PRESETS,
  untilNow,
} from './time-range.ts';
import { resolveZone } from './time-zone.ts';
import { isMeant, isZone, todaysName, zoneNames } from './zone-names.ts';
import { instantOf, isoWithOffset, offsetLabel, wallTime, zoneLabel } from './zoned-time.ts';

const HOUR = 3_600_000;
const MADRID = 'Europe/Madrid';

/** The span of a preset as local readings of the zone. */
function spanOf(preset: PresetName, now: string, timeZone: string): [string, string] {
  const { from, to } = resolveRange({ kind: 'preset', preset }, Date.parse(now), timeZone);
  return [isoWithOffset(from, timeZone), isoWithOffset(to, timeZone)];
}

describe('presets', () => {
  it('carry the labels of the specification word for word', () => {
    expect(STANDARD_PRESETS.map(presetLabel)).toEqual([
      'Last hour',
      'Today',
      'Yesterday',
      'Last 3 days',
      'Last 5 days',
      'Last 7 days',
      'Last 14 days',
      'Last 30 days',
      'This week',
      'Last week',
      'This month',
      'Last month',
      'Last 3 months',
      'Last 6 months',
      'Last 12 months',
      'This calendar year',
      'Last calendar year',
    ]);
    expect(SHORT_PRESETS.map(presetLabel)).toEqual([
      'Last hour',
      'Last 6 hours',
      'Last day',
      'Last 3 days',
      'Last 7 days',
    ]);
  });

  it('of days are whole days: the last 7 days of 6 October are 29 September to the end of 6 October', () => {
    expect(spanOf('last-7-days', '2026-10-06T13:37:00Z', MADRID)).toEqual([
      '2026-09-29T00:00:00+02:00',
      '2026-10-07T00:00:00+02:00',
    ]);
  });

  it('follow the zone: today in Brisbane has begun while it is yesterday in Denver', () => {
    expect(spanOf('today', '2026-11-20T20:00:00Z', 'Australia/Brisbane')[0]).toBe(
      '2026-11-21T00:00:00+10:00',
    );
    expect(spanOf('today', '2026-11-20T20:00:00Z', 'America/Denver')[0]).toBe('2026-11-20T00:00:00-07:00');
  });

  it('have days of 23 and 25 hours when the clocks change', () => {
    const lengthOf = (now: string) => {
      const { from, to } = resolveRange({ kind: 'preset', preset: 'today' }, Date.parse(now), MADRID);
      return (to - from) / HOUR;
    };
    expect(lengthOf('2026-03-29T12:00:00Z')).toBe(23);
    expect(lengthOf('2026-10-25T12:00:00Z')).toBe(25);
    expect(lengthOf('2026-11-21T12:00:00Z')).toBe(24);
  });

  it('of weeks begin on Monday, also on a Sunday and across a new year', () => {
    expect(spanOf('this-week', '2026-11-22T12:00:00Z', 'UTC')).toEqual([
      '2026-11-16T00:00:00Z',
      '2026-11-23T00:00:00Z',
    ]);
    expect(spanOf('last-week', '2027-01-02T12:00:00Z', 'UTC')).toEqual([
      '2026-12-21T00:00:00Z',
      '2026-12-28T00:00:00Z',
    ]);
  });

  it('of months and years are whole calendar months and years', () => {
    expect(spanOf('last-month', '2027-01-15T12:00:00Z', MADRID)).toEqual([
      '2026-12-01T00:00:00+01:00',
      '2027-01-01T00:00:00+01:00',
    ]);
    expect(spanOf('last-calendar-year', '2026-11-21T12:00:00Z', MADRID)).toEqual([
      '2025-01-01T00:00:00+01:00',
      '2026-01-01T00:00:00+01:00',
    ]);
    expect(spanOf('last-12-months', '2028-02-29T12:00:00Z', 'UTC')[0]).toBe('2027-02-28T00:00:00Z');
  });
});

describe('wall clocks', () => {
  it('a time that the spring change skips lies after it, one that comes twice is the first', () => {
    expect(
      isoWithOffset(instantOf({ year: 2026, month: 3, day: 29, hour: 2, minute: 30 }, MADRID), MADRID),
    ).toBe('2026-03-29T03:30:00+02:00');
    expect(
      isoWithOffset(instantOf({ year: 2026, month: 10, day: 25, hour: 2, minute: 30 }, MADRID), MADRID),
    ).toBe('2026-10-25T02:30:00+02:00');
  });

  it('are read back as they were set, in zones of odd offsets too', () => {
    for (const zone of ['Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns', 'UTC']) {
      const at = instantOf({ year: 2026, month: 7, day: 4, hour: 5, minute: 6, second: 7 }, zone);
      expect(wallTime(at, zone)).toEqual({ year: 2026, month: 7, day: 4, hour: 5, minute: 6, second: 7 });
    }
    expect(offsetLabel(Date.parse('2026-07-01T00:00:00Z'), 'America/St_Johns')).toBe('UTC−02:30');
  });

  it('take a date and a time of the calendar, and nothing else', () => {
    expect(fromCalendarFields('2026-11-21', '14:05', MADRID)).toBe(Date.parse('2026-11-21T13:05:00Z'));
    expect(fromCalendarFields('21.11.2026', '14:05', MADRID)).toBeNull();
    expect(fromCalendarFields('2026-11-21', '25:00', MADRID)).toBeNull();
  });
});

describe('ranges in an address', () => {
  it('are read back as they were written', () => {
    for (const range of [
      { kind: 'preset', preset: 'last-30-days' },
      { kind: 'relative', amount: 90, unit: 'm' },
      {
        kind: 'absolute',
        from: Date.parse('2026-11-01T00:00:00Z'),
        to: Date.parse('2026-11-02T03:04:05.678Z'),
      },
    ] as const) {
      expect(rangeFromText(rangeToText(range))).toEqual(range);
    }
    expect(rangeToText({ kind: 'absolute', from: 0, to: 60_000 })).toBe(
      '1970-01-01T00:00Z_1970-01-01T00:01Z',
    );
  });

  it('that mean nothing are refused', () => {
    for (const text of ['', 'last-century', '0m', '5y', '2026-11-02_2026-11-01', 'a_b', 'toString', 7]) {
      expect(rangeFromText(text)).toBeNull();
    }
  });

  it('have a label for people in the chosen zone', () => {
    const from = Date.parse('2026-11-21T09:00:00Z');
    expect(rangeLabel({ kind: 'absolute', from, to: from + 2 * HOUR }, MADRID)).toBe(
      'Nov 21, 2026 10:00 – 12:00',
    );
    expect(rangeLabel({ kind: 'absolute', from, to: from + 24 * HOUR }, MADRID)).toBe(
      'Nov 21, 2026 10:00 – Nov 22, 2026 10:00',
    );
    expect(rangeLabel({ kind: 'relative', amount: 1, unit: 'h' }, MADRID)).toBe('Last hour');
  });
});

describe('refreshing', () => {
  it('is as often as a change can be seen', () => {
    expect(refreshIntervalMs({ from: 0, to: HOUR })).toBe(10_000);
    expect(refreshIntervalMs({ from: 0, to: 24 * HOUR })).toBe(240_000);
    expect(refreshIntervalMs({ from: 0, to: 24 * 30 * HOUR })).toBe(300_000);
  });

  it('ends at this moment where the range reaches beyond it', () => {
    expect(untilNow({ from: 0, to: 100 }, 40)).toEqual({ from: 0, to: 40 });
    expect(untilNow({ from: 0, to: 100 }, 400)).toEqual({ from: 0, to: 100 });
  });
});

describe('time zones', () => {
  it('local or nothing is the zone of the browser, utc is UTC, as collected that of the device', () => {
    const browser = Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect([resolveZone(undefined), resolveZone(''), resolveZone('local')]).toEqual([
      browser,
      browser,
      browser,
    ]);
    expect(resolveZone('utc')).toBe('UTC');
    expect(resolveZone('collected', 'America/Denver')).toBe('America/Denver');
    expect(resolveZone('collected', null)).toBe(browser);
    expect(resolveZone('Mars/Olympus')).toBe(browser);
  });

  it('of what a plant sent is the plant’s own, for who chose none', () => {
    expect(resolveZone('', 'America/Denver')).toBe('America/Denver');
    expect(zoneLabel('America/Denver', Date.UTC(2026, 6, 1))).toBe('Denver, UTC−06:00');
    expect(zoneLabel('UTC', 0)).toBe('UTC');
  });

  it('offered are about 420 names of region and city, all of them usable', () => {
    const names = zoneNames();
    expect(names.length).toBeGreaterThan(400);
    expect(names.every((name) => name.includes('/') && isZone(name))).toBe(true);
  });

  it('places are called as they are today, and found by the name they had too', () => {
    const names = zoneNames();
    for (const [name, former] of [
      ['Asia/Kathmandu', 'Asia/Katmandu'],
      ['Asia/Kolkata', 'Asia/Calcutta'],
      ['Europe/Kyiv', 'Europe/Kiev'],
      ['America/Argentina/Buenos_Aires', 'America/Buenos_Aires'],
    ] as const) {
      expect(names).toContain(name);
      expect(names).not.toContain(former);
      expect(todaysName(former)).toBe(name);
      for (const text of [name, former]) expect(isMeant(name, text.split('/').at(-1) ?? '')).toBe(true);
    }
    expect(names.filter((name) => isMeant(name, 'kathmandu '))).toEqual(['Asia/Kathmandu']);
    expect(names.filter((name) => isMeant(name, 'new york'))).toEqual(['America/New_York']);
    expect(isMeant('Europe/Berlin', 'kyiv')).toBe(false);
  });
});
