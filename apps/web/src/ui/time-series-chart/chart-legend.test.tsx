import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import '../../app/test-screen.tsx';
import { ChartLegend } from './chart-legend.tsx';
import { setHovered } from './cursor-time.ts';

afterEach(() => act(() => setHovered(null)));

const stats = { count: 2, min: 1, avg: 2, max: 3, last: 3 };
const series = [
  {
    ...{ id: 'a', label: 'Roof', units: 'W' },
    points: { stepMs: 0, times: [0, 1], min: [1, 3], avg: [1, 3], max: [1, 3], stats },
  },
];

test('without room for all columns the mean is there until somebody points at an instant', () => {
  render(
    <ChartLegend
      {...{ title: 'Roof', series, stats: [stats], scheme: 'light', hidden: new Set(), pinned: null }}
      onHide={() => {}}
      onFocus={() => {}}
    />,
  );
  const isLeftOut = (name: string) => /wide/.test(screen.getByRole('columnheader', { name }).className);
  expect([isLeftOut('Avg'), isLeftOut('At cursor'), isLeftOut('Max')]).toEqual([false, true, false]);
  act(() => setHovered(1));
  expect([isLeftOut('Avg'), isLeftOut('At cursor'), isLeftOut('Max')]).toEqual([true, false, false]);
});
