import { expect, test } from 'vitest';
import { scheduleFile } from './schedule-file.ts';

const entries = [
  { datetime: '2026-12-01T10:00:00Z', value: '60%' },
  { datetime: '2026-12-01T12:00:00+01:00', value: '0.95 over-excited' },
];

test('a file has a line for each entry, in UTC, and ends with a line end', () => {
  expect(scheduleFile({ entries, endsAt: null })).toBe(
    'datetime,value\n2026-12-01T10:00:00.000Z,60%\n2026-12-01T11:00:00.000Z,0.95 over-excited\n',
  );
});

test('an end after the last entry is a line without a value; what would begin at it or later is left out', () => {
  const at = (time: string) => Date.parse(`2026-12-01T${time}Z`);
  expect(
    scheduleFile({ entries, endsAt: at('15:00:00') })
      .split('\n')
      .slice(-2),
  ).toEqual(['2026-12-01T15:00:00.000Z,', '']);
  expect(scheduleFile({ entries, endsAt: at('11:00:00') })).toBe(
    'datetime,value\n2026-12-01T10:00:00.000Z,60%\n2026-12-01T11:00:00.000Z,\n',
  );
  expect(scheduleFile({ entries: [], endsAt: at('11:00:00') })).toBe('datetime,value\n');
});
