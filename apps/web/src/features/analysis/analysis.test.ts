import { readSite } from '@albedo/contract/plants/plant-site';
import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import { expect, test } from 'vitest';
import '../../app/test-screen.tsx';
import { earlierSpan, movedOn } from '../../app/series/earlier.ts';
import { readAddress, writeAddress } from './analysis-address.ts';
import { type DrawnLine, ratedScale, seriesOfLines } from './analysis-series.ts';
import { clearSky, skyKindOf } from './clear-sky.ts';

const DAY = 86_400_000;
const DEVICE = '7d444840-9dc0-41d1-b245-5ffdce74fad2';
const ZONE = 'Europe/Berlin';

test('everything that is seen stands in the address, and comes back from it', () => {
  const search = {
    line: [`${DEVICE}~solar~inv-01~AC%20Power`, `formula~${DEVICE}`],
    range: '2026-11-01T00:00Z_2026-11-08T00:00Z',
    tz: 'Europe/Madrid',
    layout: 'each',
    as: 'scatter',
    x: `formula~${DEVICE}`,
    every: '15m',
    fn: 'max',
    compare: 'week',
    rated: true,
    sky: true,
    min: -5,
    max: 20_000,
    date: 'Datetime',
    at: '2026-11-03T12:15:00.000Z',
    marks: false,
  };
  expect(writeAddress(readAddress(search))).toEqual(search);
  expect(writeAddress(readAddress({}))).toEqual({});
  const wrong = {
    line: ['a~b', `${DEVICE}~x`],
    every: '7m',
    fn: 'median',
    compare: 'soon',
    at: 'noon',
    min: 'x',
  };
  expect(writeAddress(readAddress(wrong))).toEqual({});
});

const points = (times: number[]): SeriesPoints => ({
  stepMs: 0,
  times,
  min: times,
  avg: times,
  max: times,
  stats: { count: times.length, min: null, avg: null, max: null, last: null },
});

test('a day earlier is the day before by the clocks, also when they went back in between', () => {
  // Noon of Monday 26 October 2026, the day after the clocks of Berlin went back.
  const span = { from: Date.UTC(2026, 9, 25, 11), to: Date.UTC(2026, 9, 26, 11) };
  const earlier = earlierSpan(span, 'day', ZONE);
  expect(earlier).toEqual({ from: Date.UTC(2026, 9, 24, 10), to: Date.UTC(2026, 9, 25, 11) });
  const moved = movedOn(points([earlier.from, Date.UTC(2026, 9, 25, 10)]), span, 'day', ZONE);
  expect(moved.times).toEqual([span.from, Date.UTC(2026, 9, 26, 10)]);
  expect(moved.avg[0]).toBe(earlier.from);
});

test('a month before 31 March is the last day of February, and points that meet there stay in order', () => {
  const span = { from: Date.UTC(2026, 2, 31, 10), to: Date.UTC(2026, 3, 1, 10) };
  expect(earlierSpan(span, 'month', 'UTC').from).toBe(Date.UTC(2026, 1, 28, 10));
  expect(earlierSpan(span, 'previous', 'UTC')).toEqual({ from: span.from - DAY, to: span.from });
  const january = [29, 30, 31].map((day) => Date.UTC(2026, 0, day));
  const { times } = movedOn(points(january), span, 'month', 'UTC');
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(new Set(times).size).toBe(times.length);
});

const line = (more: Partial<DrawnLine> = {}): DrawnLine => ({
  ...{ key: 'a', label: 'inv-01', device: DEVICE, table: 'solar', source: 'inv-01', field: 'AC Power' },
  ...{ units: 'kW', isStepped: false, part: 0.5 },
  ...more,
});
const site = readSite({ Latitude: '0', Longitude: '0', 'Rated power': '50 kW' });

test('a power becomes a part of the rated power of its inverters; what is no power stays', () => {
  // 25 kW of one of two inverters of a plant of 50 kW is all of it.
  expect(25 * (ratedScale(line(), site) ?? 0)).toBe(100);
  expect(ratedScale(line({ units: '°C' }), site)).toBeNull();
  expect(ratedScale(line(), readSite({}))).toBeNull();
});

test('a sky without clouds is dark at night and brightest at noon, and says nothing without a place', () => {
  const day = { from: Date.UTC(2026, 2, 20), to: Date.UTC(2026, 2, 21) };
  const sky = clearSky(site, 'horizontal', 1, day);
  const at = (hour: number) => sky?.avg[(sky.times ?? []).indexOf(day.from + hour * 3_600_000)] ?? Number.NaN;
  expect(at(0)).toBe(0);
  // At noon of the equinox the sun stands above the equator: 1098 exp(-0.057) W/m².
  expect(at(12)).toBeGreaterThan(1030);
  expect(at(12)).toBeLessThan(1040);
  const power = clearSky(site, 'power', 0.5, day);
  expect(power?.stats.max).toBeLessThanOrEqual(25_000);
  expect(clearSky(readSite({}), 'horizontal', 1, day)).toBeNull();
  expect([skyKindOf('W', 'AC Power'), skyKindOf('W/m²', 'Plane Irradiance'), skyKindOf('°C', 'T')]).toEqual([
    'power',
    'plane',
    null,
  ]);
});

test('live, the newest value of the source stands behind what was loaded, and no older one does', () => {
  const span = { from: 0, to: DAY };
  const answer = { span, earlier: null, points: new Map([['a', { now: points([1000]), before: null }]]) };
  const drawnAt = (eventAt: number) => {
    const source = { table: 'solar', source: 'inv-01', eventAt, values: { 'AC Power': 7 } };
    const known = new Map([[DEVICE, { site, zone: null, sources: [source] }]]);
    const texts = { earlier: String, clearSky: String };
    const rest = {
      compare: null,
      isNormalised: false,
      hasClearSky: false,
      zone: 'UTC',
      hasUnits: true,
      texts,
    };
    return seriesOfLines({ lines: [line()], answer, known, isLive: true, ...rest })[0]?.[0]?.points.times;
  };
  expect(drawnAt(6000)).toEqual([1000, 6000]);
  expect(drawnAt(900)).toEqual([1000]);
});

test('what a line is compared with is drawn in its colour', () => {
  const span = { from: DAY, to: 2 * DAY };
  const answer = {
    span,
    earlier: { from: 0, to: DAY },
    points: new Map([['a', { now: points([DAY]), before: points([0]) }]]),
  };
  const texts = { earlier: (label: string) => `${label} before`, clearSky: (label: string) => label };
  const [series] = seriesOfLines({
    lines: [line()],
    answer,
    known: new Map(),
    compare: 'previous',
    isNormalised: false,
    hasClearSky: false,
    zone: 'UTC',
    isLive: false,
    hasUnits: true,
    texts,
  });
  expect(
    series?.map(({ label, style, ghost = null, points: { times } }) => [label, style, ghost, times]),
  ).toEqual([
    ['inv-01', 0, null, [DAY]],
    ['inv-01 before', 0, 'earlier', [DAY]],
  ]);
});
