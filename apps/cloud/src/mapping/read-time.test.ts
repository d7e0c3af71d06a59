import { expect, test } from 'vitest';
import { readTimes } from './read-time.ts';

const BERLIN = 'Europe/Berlin';
const read = (text: string, zone: string) =>
  readTimes(text, 'iso', zone)?.map((at) => new Date(at).toISOString().slice(5, 16));

test.each([
  ['2026-07-10 12:00 CET', BERLIN, ['07-10T11:00']],
  ['2026-07-10 12:00 CEST', BERLIN, ['07-10T10:00']],
  ['2026-01-10 12:00 MEZ', BERLIN, ['01-10T11:00']],
  ['2026-10-25 02:30 CEST', BERLIN, ['10-25T00:30']],
  ['2026-10-25 02:30 CET', BERLIN, ['10-25T01:30']],
  ['2026-10-25 02:30 DST', BERLIN, ['10-25T00:30']],
  ['2026-10-25 02:30', BERLIN, ['10-25T00:30', '10-25T01:30']],
  ['2026-03-29 02:30 CET', BERLIN, ['03-29T01:30']],
  ['2026-03-29 02:30', BERLIN, []],
  ['2026-07-10 12:00 UTC', BERLIN, ['07-10T12:00']],
  ['2026-07-10 12:00 IST', 'Asia/Kolkata', ['07-10T06:30']],
  ['2026-07-10 12:00 IST', 'Europe/Dublin', ['07-10T11:00']],
  ['2026-07-10 12:00 CST', 'America/Chicago', ['07-10T18:00']],
  ['2026-07-10 12:00 CST', 'Asia/Shanghai', ['07-10T04:00']],
  ['2026-01-10 12:00 AEDT', 'Australia/Sydney', ['01-10T01:00']],
])('%s in %s is %j', (text, zone, expected) => {
  expect(read(text, zone)).toEqual(expected);
});

test.each([
  ['2026-07-10 12:00 EST', BERLIN],
  ['2026-07-10 12:00 CEST', 'Asia/Kolkata'],
  ['2026-07-10 12:00 DST', 'Asia/Kolkata'],
  ['2026-07-10 12:00 XYZ', BERLIN],
])('%s is no time of %s', (text, zone) => {
  expect(readTimes(text, 'iso', zone)).toBeNull();
});

test('the clock that knows no summer still has the words', () => {
  const [at = 0] = readTimes('2026-07-10 12:00 CEST', 'iso', BERLIN, true) ?? [];
  expect(new Date(at).toISOString()).toBe('2026-07-10T10:00:00.000Z');
});
