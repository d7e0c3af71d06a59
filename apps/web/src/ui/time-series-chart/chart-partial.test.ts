import { expect, test, vi } from 'vitest';
import '../../app/test-screen.tsx';
import { chartOptions } from './chart-options.ts';
import { wholeOf, wholePaths } from './chart-partial.ts';

const times = [0, 1, 2, 3, 4];

test('what is not whole is left out at both ends, with the places of other series beside it', () => {
  expect(wholeOf(times, [5, 5, 5, 5, 1], new Set([4]), [0, 4])).toEqual([0, 3]);
  expect(wholeOf(times, [5, undefined, 5, undefined, 1], new Set([0, 4]), [0, 4])).toEqual([2, 2]);
  expect(wholeOf(times, [undefined, 5, 5, 5, 5], new Set(), [0, 4])).toEqual([0, 4]);
  const [first, last] = wholeOf(times, [1, 1, 1, 1, 1], new Set(times), [0, 4]);
  expect(first).toBeGreaterThan(last);
});

test('the line ends before it, and where nothing is whole there is no line', () => {
  const paths = vi.fn(() => null);
  const chart = { data: [times, [5, 5, 5, 5, 1]] } as never;
  wholePaths(paths, () => new Set([4]))(chart, 1, 0, 4);
  expect(paths).toHaveBeenLastCalledWith(chart, 1, 0, 3);
  paths.mockClear();
  expect(wholePaths(paths, () => new Set(times))(chart, 1, 0, 4)).toBeNull();
  expect(paths).not.toHaveBeenCalled();
});

test('lines and columns of a chart go by what their own line has', () => {
  const theme = {
    ...{ scheme: 'light' as const, text: '#000', dimmed: '#555', grid: '#eee', surface: '#fff' },
    fontFamily: 'sans-serif',
  };
  const asked: number[] = [];
  const shape = { label: 'a', unit: 'W', isBanded: false, style: 0, isStepped: false };
  const lines = [shape, { ...shape, column: { offsetMs: 0, widthMs: 1 } }];
  const partialOf = (line: number) => {
    asked.push(line);
    return new Set(times);
  };
  const options = chartOptions(
    { width: 100, height: 100, lines, timeZone: 'UTC', theme, isLive: false, partialOf },
    {},
    () => ({ from: 0, to: 4 }),
  );
  const chart = { data: [times, ...Array.from({ length: 6 }, () => [1, 1, 1, 1, 1])] } as never;
  for (const column of [1, 4]) expect(options.series[column]?.paths?.(chart, column, 0, 4)).toBeNull();
  expect(asked).toEqual([0, 1]);
});
