import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import { describe, expect, it } from 'vitest';
import '../../app/test-screen.tsx';
import { contrast } from '@albedo/contract/branding/colours';
import { csvStyle } from '@albedo/contract/csv/csv-style.schema';
import { csvText } from '@albedo/contract/csv/csv-writer';
import { seriesTable } from './chart-export.ts';
import { moved, zoomed } from './chart-gestures.ts';
import { valueRange } from './chart-options.ts';
import { LINE_COLOURS, lineStyle } from './palette.ts';
import { buildFrame, type ChartSeries, extentsOf } from './series-data.ts';
import { timeAxisLabels } from './time-axis.ts';

const MINUTE = 60_000;
const NO_STATS = { count: 0, min: null, avg: null, max: null, last: null };

function points(times: number[], values: (number | null)[], stepMs = 0): SeriesPoints {
  return { stepMs, times, min: values, avg: values, max: values, stats: NO_STATS };
}
const line = (id: string, of: SeriesPoints, units: string | null = null): ChartSeries => ({
  id,
  label: id,
  units,
  points: of,
});
/** A point every minute. */
const minutes = (count: number): number[] => Array.from({ length: count }, (_, i) => i * MINUTE);

describe('a chart frame', () => {
  it('hands over one series untouched, however long', () => {
    const times = minutes(105_000);
    const frame = buildFrame([line('a', points(times, times.map(Math.sin)))]);
    expect(frame.times).toBe(times);
    expect(frame.columns[0]?.avg).toHaveLength(105_000);
  });

  it('brings series of different times onto one axis without breaking their lines', () => {
    const frame = buildFrame([
      line('fast', points(minutes(7), [0, 1, 2, 3, 4, 5, 6])),
      line('slow', points([0, 2 * MINUTE, 4 * MINUTE, 6 * MINUTE], [0, 20, 40, 60])),
    ]);
    expect(frame.times).toHaveLength(7);
    expect(frame.columns[1]?.avg).toEqual([0, undefined, 20, undefined, 40, undefined, 60]);
  });

  it('keeps the gaps of one series beside points that another has there', () => {
    const frame = buildFrame([
      line('a', points([0, 1, 2], [1, null, 3])),
      line('b', points([0, 2, 3], [1, 2, 3])),
    ]);
    expect(frame.columns[0]?.avg).toEqual([1, null, 3, undefined]);
    expect(frame.columns[1]?.avg).toEqual([1, undefined, 2, 3]);
  });

  it('puts kW and W on one axis', () => {
    const frame = buildFrame([
      line('a', points([1, 2], [1.5, null]), 'kW'),
      line('b', points([1, 2], [1500, 7]), 'W'),
    ]);
    expect(frame.columns.map((column) => column.avg[0])).toEqual([1500, 1500]);
    expect(frame.columns[0]?.avg[1]).toBeNull();
  });

  it('has a band only where points were thinned and differ within a bucket', () => {
    const thinned: SeriesPoints = {
      stepMs: MINUTE,
      times: [0],
      min: [1],
      avg: [2],
      max: [3],
      stats: NO_STATS,
    };
    const flat: SeriesPoints = { stepMs: MINUTE, times: [0], min: [2], avg: [2], max: [2], stats: NO_STATS };
    const frame = buildFrame([line('a', thinned), line('b', flat), line('c', { ...thinned, stepMs: 0 })]);
    expect(frame.columns.map((column) => column.isBanded)).toEqual([true, false, false]);
  });
});

describe('an axis', () => {
  it('does not make much of the noise of a quiet value, nor goes below zero for it', () => {
    expect(valueRange({ min: 49.99, max: 50.01 }, 'Hz')).toEqual([49.75, 50.25]);
    expect(valueRange({ min: 230, max: 231 }, 'V')).toEqual([228.19, 232.81]);
    expect(valueRange({ min: 0, max: 0 }, '%')).toEqual([0, 5]);
    expect(valueRange({ min: -3, max: -3 }, '')[0]).toBeLessThan(-3);
  });

  it('covers what all series of its unit cover, in W and in kW', () => {
    const stats = (min: number, max: number) => ({ ...NO_STATS, min, max });
    const of = (min: number, max: number, units: string) =>
      line('a', { ...points([1], [1]), stats: stats(min, max) }, units);
    const extents = extentsOf([
      of(5, 900, 'W'),
      of(0.2, 3, 'kW'),
      of(20, 30, '°C'),
      line('b', points([], []), '%'),
    ]);
    expect([...extents]).toEqual([
      ['W', { min: 5, max: 3000 }],
      ['°C', { min: 20, max: 30 }],
    ]);
  });
});

describe('zooming', () => {
  it('keeps what is under the pointer in its place', () => {
    expect(zoomed({ from: 0, to: 100_000 }, 0.25, 0.5)).toEqual({ from: 12_500, to: 62_500 });
    expect(moved({ from: 0, to: 100_000 }, -0.1)).toEqual({ from: -10_000, to: 90_000 });
  });

  it('never ends in nothing', () => {
    const { from, to } = zoomed({ from: 0, to: 1200 }, 0.5, 0.1);
    expect(to - from).toBe(1000);
  });
});

describe('the time axis', () => {
  it('tells the day below the first tick and where it changes, in the zone of the chart', () => {
    const ticks = [20, 22, 24, 26].map((hour) => Date.UTC(2026, 10, 20, hour));
    expect(timeAxisLabels(ticks, 2 * 3_600_000, 'UTC')).toEqual([
      '20:00\nNov 20',
      '22:00',
      '00:00\nNov 21',
      '02:00',
    ]);
    expect(timeAxisLabels(ticks, 2 * 3_600_000, 'Australia/Brisbane')[0]).toBe('06:00\nNov 21');
  });
});

describe('the CSV file', () => {
  it('has local times with their offset, units in the head, and the extremes of thinned series', () => {
    const { columns, rows } = seriesTable([
      line(
        'Power, AC',
        {
          stepMs: MINUTE,
          times: [0, MINUTE],
          min: [1, null],
          avg: [2, null],
          max: [3, null],
          stats: NO_STATS,
        },
        'W',
      ),
      line('b', points([0, 2 * MINUTE], [5, 6])),
    ]);
    const csv = csvText(columns, rows, csvStyle.parse({ timezone: 'Europe/Madrid' }));
    expect(csv.split('\r\n')).toEqual([
      'time,"Power, AC mean [W]","Power, AC min [W]","Power, AC max [W]",b',
      '1970-01-01T01:00:00+01:00,2,1,3,5',
      '1970-01-01T01:02:00+01:00,,,,6',
      '',
    ]);
  });
});

describe('line colours', () => {
  it('can be seen on the surface of their scheme', () => {
    for (const colour of LINE_COLOURS.light) expect(contrast(colour, '#ffffff')).toBeGreaterThan(3);
    for (const colour of LINE_COLOURS.dark) expect(contrast(colour, '#191c19')).toBeGreaterThan(3);
  });

  it('of neighbours stay apart for people who do not tell red from green', () => {
    for (const colours of [LINE_COLOURS.light, LINE_COLOURS.dark]) {
      for (let i = 1; i < 6; i++) {
        const [a, b] = [colours[i - 1] ?? '', colours[i] ?? ''].map(asDeuteranope) as [number[], number[]];
        const distance = Math.hypot(...a.map((part, k) => part - (b[k] ?? 0)));
        expect(distance, `${colours[i - 1]} and ${colours[i]}`).toBeGreaterThan(40);
      }
    }
  });

  it('that are used up begin again with another stroke', () => {
    expect(lineStyle(8, 'light')).toEqual({ colour: LINE_COLOURS.light[0], dash: [8, 4] });
  });
});

/** How the colour looks without green cones. Source: Machado et al. 2009, severity 1. */
function asDeuteranope(colour: string): number[] {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return [
    0.367 * r + 0.861 * g - 0.228 * b,
    0.28 * r + 0.673 * g + 0.047 * b,
    -0.012 * r + 0.043 * g + 0.969 * b,
  ];
}
