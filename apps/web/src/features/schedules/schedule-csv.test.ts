// @vitest-environment jsdom
import { t } from 'i18next';
import { expect, test } from 'vitest';
import '../../app/test-screen.tsx';
import { stepsFromCsv, stepsToCsv } from './schedule-csv.ts';

const read = (text: string) =>
  stepsFromCsv(t, new File([text], 'limit.csv'), 'setpoint_activepower', 'Europe/Rome');
const faultsOf = async (text: string) =>
  (await read(text)).faults.map(({ row, text: why }) => `${row}: ${why}`);

test('what is written is read again, in UTC', async () => {
  const steps = [
    { at: Date.UTC(2026, 11, 1, 11), value: '60%' },
    { at: Date.UTC(2026, 11, 1, 14), value: '' },
  ];
  expect(stepsToCsv(steps)).toBe(
    'datetime,value\r\n2026-12-01T11:00:00.000Z,60%\r\n2026-12-01T14:00:00.000Z,\r\n',
  );
  expect(await read(stepsToCsv(steps))).toEqual({ steps, faults: [] });
});

test('a time without a zone is one of the site, and bare numbers are %', async () => {
  const { steps } = await read('value;datetime\n60;2026-12-01 12:00\n25 kW;2026-12-01T12:00:00Z\n');
  expect(steps).toEqual([
    { at: Date.UTC(2026, 11, 1, 11), value: '60%' },
    { at: Date.UTC(2026, 11, 1, 12), value: '25000 W' },
  ]);
});

test('each fault names its row', async () => {
  expect(await faultsOf('time,value\n2026-12-01T11:00Z,60%\n')).toEqual([
    '1: The first row has to be datetime,value.',
  ]);
  expect(
    await faultsOf(
      [
        'datetime,value',
        '2026-12-01T11:00Z,60%',
        '2026-12-01T11:00Z,50%',
        '2026-12-01T10:00Z,50%',
        'tomorrow,50%',
        '2026-02-30T10:00Z,50%',
        '2026-12-02T10:00Z,150%',
        '2027-03-28 02:30,50%',
        '2027-10-31 02:30,50%',
      ].join('\n'),
    ),
  ).toEqual([
    '3: 2026-12-01T11:00Z appears twice.',
    '4: 2026-12-01T10:00Z is before the row above it.',
    '5: tomorrow is not a date with a time.',
    '6: 2026-02-30T10:00Z is not a date with a time.',
    '7: "150%" is outside 0 to 100 %',
    '8: 2027-03-28 02:30 does not exist at the site: the clocks skip it. Add the offset.',
    '9: 2027-10-31 02:30 comes twice at the site. Add the offset.',
  ]);
});
