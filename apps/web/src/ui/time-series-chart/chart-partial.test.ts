import { expect, test, vi } from 'vitest';
import '../../app/test-screen.tsx';
import { chartOptions } from './chart-options.ts';
import { paintPartial, wholeOf, wholePaths } from './chart-partial.ts';

const times = [0, 1, 2, 3, 4];
const theme = {
  ...{ scheme: 'light' as const, text: '#000', dimmed: '#555', grid: '#eee', surface: '#fff' },
  fontFamily: 'sans-serif',
};

test('what is not whole is left out at both ends, with the places of other series beside it', () => {
  expect(wholeOf(times, [5, 5, 5, 5, 1], new Set([4]), [0, 4])).toEqual([0, 3]);
  expect(wholeOf(times, [5, undefined, 5, undefined, 1], new Set([0, 4]), [0, 4])).toEqual([2, 2]);
  expect(wholeOf(times, [undefined, 5, 5, 5, 5], new Set(), [0, 4])).toEqual([0, 4]);
  // A gap at the end does not count as an interval.
  expect(wholeOf(times, [5, 5, 1, null, null], new Set([2]), [0, 4])).toEqual([0, 1]);
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

test('what is not whole in the middle is drawn once, with all beside it', () => {
  const paths = vi.fn(() => null);
  const data = [times, [5, 5, 1, 5, 5]];
  // The line still continues to it at the edge of the view.
  wholePaths(paths, () => new Set([2]))({ data } as never, 1, 0, 2);
  expect(paths).toHaveBeenLastCalledWith({ data }, 1, 0, 2);
  const calls: string[] = [];
  const ctx = new Proxy({}, { get: (_, name) => () => calls.push(String(name)), set: () => true });
  const chart = {
    ...{ ctx, data, bbox: { left: 0, top: 0, width: 9, height: 9 }, over: {} },
    ...{ series: [{}, { show: true }], valToPos: (value: number) => value },
  };
  const line = { at: 1, scale: 'W', style: 0, isStepped: false, partial: new Set([2]) };
  const columns = { ...line, column: { offsetMs: 0, widthMs: 1 } };
  const paint = (partial: ReadonlySet<number>) =>
    paintPartial(
      chart as never,
      [line, columns].map((series) => ({ ...series, partial })),
      theme,
    );
  paint(new Set([2]));
  expect(calls).not.toContain('stroke');
  paint(new Set([4]));
  expect(calls.filter((name) => name === 'stroke')).toHaveLength(2);
});

test('lines and columns of a chart go by what their own line has', () => {
  const requested: number[] = [];
  const shape = { label: 'a', unit: 'W', isBanded: false, style: 0, isStepped: false };
  const lines = [shape, { ...shape, column: { offsetMs: 0, widthMs: 1 } }];
  const partialOf = (line: number) => {
    requested.push(line);
    return new Set(times);
  };
  const options = chartOptions(
    { width: 100, height: 100, lines, timeZone: 'UTC', theme, isLive: false, partialOf },
    {},
    () => ({ from: 0, to: 4 }),
  );
  const chart = { data: [times, ...Array.from({ length: 6 }, () => [1, 1, 1, 1, 1])] } as never;
  for (const column of [1, 4]) expect(options.series[column]?.paths?.(chart, column, 0, 4)).toBeNull();
  expect(requested).toEqual([0, 1]);
});
