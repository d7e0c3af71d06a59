import { parseSetpoint, setpointText } from '@albedo/contract/schedules/setpoints';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSchedule, scheduledAt } from './schedule.ts';
import { type Sharer, shareActivePower } from './share.ts';

const ZONES = ['Europe/Berlin', 'America/Denver', 'Australia/Lord_Howe', 'Africa/Johannesburg'];
/** Around a change of the clocks in each of them, and anywhere else. */
const CHANGES = [
  Date.UTC(2026, 2, 29, 1),
  Date.UTC(2026, 9, 25, 1),
  Date.UTC(2026, 2, 8, 9),
  Date.UTC(2026, 9, 3, 15, 30),
];

/** The time as a clock of the zone shows it, with the offset of that instant. */
function localText(at: number, zone: string): string {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      dateStyle: undefined,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'longOffset',
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const offset = (parts.timeZoneName ?? '').replace('GMT', '') || '+00:00';
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}${offset}`;
}

test('entries written in local time hold at the right instants across every change of the clocks', () => {
  const around = fc.tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -7200, max: 7200 }));
  const instants = fc.uniqueArray(
    around.map(([change, seconds]) => change + seconds * 1000),
    { minLength: 1, maxLength: 30 },
  );
  fc.assert(
    fc.property(instants, fc.constantFrom(...ZONES), (list, zone) => {
      const times = list.toSorted((a, b) => a - b);
      const text = times.map((at, index) => `${localText(at, zone)},${index}%\n`).join('');
      const entries = parseSchedule('setpoint_activepower', `datetime,value\n${text}`, 'f');
      expect(entries.map(({ at }) => at)).toEqual(times);
      expect(scheduledAt(entries, (times[0] ?? 0) - 1)).toBeNull();
      for (const [index, at] of times.entries()) {
        const value = { kind: 'setpoint_activepower', unit: '%', value: index };
        expect(scheduledAt(entries, at)).toEqual(value);
        const next = times[index + 1];
        expect(scheduledAt(entries, next === undefined ? at + 1e12 : next - 1)).toEqual(value);
      }
    }),
  );
});

test('two entries that are one instant in different zones are refused', () => {
  const text = 'datetime,value\n2026-10-25T02:30:00+02:00,50%\n2026-10-25T00:30:00Z,40%\n';
  expect(() => parseSchedule('setpoint_activepower', text, 'f')).toThrow(
    'f, line 3: 2026-10-25T00:30:00Z is there twice',
  );
});

test.each([
  ['time,value\n', 'line 1: the header is datetime,value'],
  ['datetime,value\n2026-06-14T12:00:00,50%\n', 'line 2: "2026-06-14T12:00:00" is no time with its zone'],
  ['datetime,value\n2026-02-29T12:00:00Z,50%\n', 'line 2: "2026-02-29T12:00:00Z" is no time'],
  [
    'datetime,value\n2026-06-14T12:00Z,50%\n\n2026-06-14T11:00Z,50%\n',
    'line 4: 2026-06-14T11:00Z is before the entry above it',
  ],
  ['datetime,value\n2026-06-14T12:00Z,50 horses\n', 'line 2: "50 horses" is no active power'],
  ['datetime,value\n2026-06-14T12:00Z,101%\n', 'line 2: "101%" is outside 0 to 100 %'],
  ['datetime,value\n2026-06-14T12:00Z\n', 'line 2: 1 values for 2 columns'],
])('%j is refused with its line', (text, fault) => {
  expect(() => parseSchedule('setpoint_activepower', text, 'f')).toThrow(`f, ${fault}`);
});

test.each([
  ['setpoint_activepower', '25 kW', '25000 W'],
  ['setpoint_activepower', '1.2MW', '1200000 W'],
  ['setpoint_cosphi', '-0.95 under-excited', '0.95 under-excited'],
  ['setpoint_cosphi', '1', '1 over-excited'],
  ['setpoint_reactivepower', '-30% VArMax', '-30% VArMax'],
  ['setpoint_reactivepower', '1.5 kvar', '1500 var'],
] as const)('%s %s is read', (kind, text, same) => {
  expect(setpointText(parseSetpoint(kind, text))).toBe(same);
  expect(parseSetpoint(kind, same)).toEqual(parseSetpoint(kind, text));
});

test.each([
  ['setpoint_activepower', '-1 W'],
  ['setpoint_activepower', '50'],
  ['setpoint_cosphi', '0.79 over-excited'],
  ['setpoint_cosphi', '0.9'],
  ['setpoint_reactivepower', '30%'],
] as const)('%s %s is refused', (kind, text) => {
  expect(() => parseSetpoint(kind, text)).toThrow(text);
});

test('what inverters may make together never exceeds what the plant may', () => {
  const sharer = fc.record({
    ratedW: fc.integer({ min: 1000, max: 200_000 }),
    isReachable: fc.boolean(),
    part: fc.integer({ min: 0, max: 100 }),
  });
  fc.assert(
    fc.property(
      fc.array(sharer, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 0, max: 100 }),
      (list, value) => {
        const sharers = list.map(
          ({ part, ...one }, index): Sharer => ({
            ...one,
            name: String(index),
            assumedW: (one.ratedW * part) / 100,
          }),
        );
        const shares = shareActivePower({ kind: 'setpoint_activepower', unit: '%', value }, sharers);
        const totalW = sharers.reduce((sum, one) => sum + one.ratedW, 0);
        const othersW = sharers.reduce((sum, one) => sum + (one.isReachable ? 0 : one.assumedW), 0);
        const oursW = sharers.reduce((sum, one) => sum + ((shares.get(one.name) ?? 0) * one.ratedW) / 100, 0);
        expect(oursW + othersW).toBeLessThanOrEqual(Math.max((value * totalW) / 100, othersW) + 1e-6);
      },
    ),
  );
});
