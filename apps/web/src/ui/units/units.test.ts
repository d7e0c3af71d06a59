import { describe, expect, it } from 'vitest';
import '../../app/test-screen.tsx';
import { formatAge, formatDuration, formatLongDuration } from './durations.ts';
import { formatCount, formatNumber, formatWhole } from './numbers.ts';
import { baseUnit, formatAlike, formatAxis, formatBytes, formatValue } from './units.ts';

describe('numbers', () => {
  it('step by 1000 through k, M, G and T with 2 decimals', () => {
    expect([1000, 12_345, 6_789_000, 1.5e9, 2e12].map(formatNumber)).toEqual([
      '1.00 k',
      '12.35 k',
      '6.79 M',
      '1.50 G',
      '2.00 T',
    ]);
  });

  it('take the next step where they would round up to 1000', () => {
    expect(formatNumber(999_999)).toBe('1.00 M');
    expect(formatValue(999.999, 'W')).toBe('1.00 kW');
  });

  it('below 1000 have no more digits than matter', () => {
    expect([0, 5, 0.5, 12.3456, 0.001234, -3.2].map(formatNumber)).toEqual([
      '0',
      '5',
      '0.5',
      '12.35',
      '0.00123',
      '−3.2',
    ]);
  });

  it('that are missing or not finite are a dash', () => {
    expect([null, undefined, Number.NaN, Number.POSITIVE_INFINITY].map(formatNumber)).toEqual([
      '–',
      '–',
      '–',
      '–',
    ]);
  });

  it('that round to zero have no minus sign', () => {
    expect(formatValue(-0.000_000_1 * 0, 'W')).toBe('0 W');
    expect(formatAxis([-0.0001, 5, 10], '')[0]).not.toContain('−');
  });
});

describe('counts', () => {
  it('read thousand, million and billion with 1 decimal', () => {
    expect([999, 1234, 2_500_000, 3.14e9].map(formatCount)).toEqual([
      '999',
      '1.2 thousand',
      '2.5 million',
      '3.1 billion',
    ]);
  });

  it('can be written in full', () => {
    expect(formatWhole(1_234_567)).toBe('1,234,567');
  });
});

describe('values with units', () => {
  it('of energy, power, peak power and resistance scale up to giga and no further', () => {
    expect(formatValue(4820, 'W')).toBe('4.82 kW');
    expect(formatValue(1.5e12, 'Wh')).toBe('1,500.00 GWh');
    expect(formatValue(2500, 'Wp')).toBe('2.50 kWp');
    expect(formatValue(1_200_000, 'ohm')).toBe('1.20 MΩ');
  });

  it('start from the prefix they were sent with', () => {
    expect(formatValue(4820, 'kW')).toBe('4.82 MW');
    expect(formatValue(0.5, 'kW')).toBe('500 W');
    expect(baseUnit('kW')).toEqual({ unit: 'W', factor: 1000 });
  });

  it('have the same decimals wherever they stand', () => {
    expect([30.89, 37, 0, 0.004].map((value) => formatValue(value, '%'))).toEqual([
      '30.9 %',
      '37.0 %',
      '0.0 %',
      '0.004 %',
    ]);
  });

  it('of energy per area or per rated power have the decimals of energy', () => {
    expect(formatValue(27.6, 'kWh/m²')).toBe('27.60 kWh/m²');
    expect(formatValue(5, 'kWh/kWp')).toBe('5.00 kWh/kWp');
  });

  it('keep units that take no prefix', () => {
    expect(formatValue(1234.5, '%')).toBe('1,234.5 %');
    expect(formatValue(25.25, 'C')).toBe('25.3 °C');
    expect(formatValue(1013, 'mbar')).toBe('1,013 mbar');
    expect(baseUnit('min')).toEqual({ unit: 'min', factor: 1 });
  });

  it('of bytes step by 1000', () => {
    expect(formatBytes(1_500_000)).toBe('1.50 MB');
  });
});

describe('values that stand together', () => {
  it('have one number of decimals: what the one needs that needs most', () => {
    expect(formatAlike([0.84, 1, 0.9], '')).toEqual(['0.84', '1.00', '0.90']);
    expect(formatAlike([3, 12, 1200], 'h')).toEqual(['3 h', '12 h', '1,200 h']);
    expect(formatAlike([0.5, null, 2], 'h')).toEqual(['0.5 h', '–', '2.0 h']);
    expect(formatAlike([0.004, 0.01], '')).toEqual(['0.004', '0.010']);
    expect(formatAlike([0, 0], '')).toEqual(['0', '0']);
    expect(formatAlike([30.89, 37], '%')).toEqual(['30.9 %', '37.0 %']);
    expect(formatAlike([0.1 + 0.2, 1], '')).toEqual(['0.3', '1.0']);
  });

  it('have the step of the largest, or of what stands beside them', () => {
    expect(formatAlike([1950, 1.2], 'kW')).toEqual(['1.95 MW', '0.00 MW']);
    expect(formatAlike([317_930], 'W', 1_200_000)).toEqual(['0.32 MW']);
    expect(formatAlike([0, 500], 'W')).toEqual(['0 W', '500 W']);
  });
});

describe('axis labels', () => {
  it('have the step of the largest value drawn where it is said', () => {
    expect(formatAxis([0, 500_000, 1_000_000], 'W', 900_000)).toEqual(['0 kW', '500 kW', '1,000 kW']);
  });

  it('share one prefix and have the decimals their distance needs', () => {
    expect(formatAxis([0, 500, 1000, 1500], 'W')).toEqual(['0.0 kW', '0.5 kW', '1.0 kW', '1.5 kW']);
    expect(formatAxis([0, 2.5, 5], '%')).toEqual(['0.0 %', '2.5 %', '5.0 %']);
    expect(formatAxis([0, 20, 40], '%')).toEqual(['0 %', '20 %', '40 %']);
    expect(formatAxis([49.98, 50, 50.02], 'Hz')).toEqual(['49.98 Hz', '50.00 Hz', '50.02 Hz']);
  });
});

describe('durations', () => {
  it('read in hours, minutes, seconds or milliseconds', () => {
    expect([12, 1500, 59_900, 90_000, 3_600_000, 7_500_000].map(formatDuration)).toEqual([
      '12 ms',
      '1.5 s',
      '1 min',
      '1 min 30 s',
      '1 h',
      '2 h 5 min',
    ]);
  });

  it('never show sixty of the smaller unit', () => {
    expect(formatDuration(3_599_800)).toBe('1 h');
    expect(formatDuration(119_900)).toBe('2 min');
  });

  it('may be given in days', () => {
    expect(formatLongDuration(3 * 86_400_000 + 4 * 3_600_000)).toBe('3 d 4 h');
    expect(formatLongDuration(400 * 86_400_000)).toBe('400 d');
  });

  it('ages are whole and short, and a clock ahead of ours is now', () => {
    expect(
      [100, 12_400, 250_000, 3 * 3_600_000, 5 * 86_400_000, -9000].map((age) => formatAge(1e12 - age, 1e12)),
    ).toEqual(['now', '12 s', '4 min', '3 h', '5 d', 'now']);
  });
});
