import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import '../../app/test-screen.tsx';
import type { ChartSeries } from './series-data.ts';
import { TimeSeriesChart } from './time-series-chart.tsx';

const HOUR = 3_600_000;

// What the drawing needs of a browser and jsdom lacks; uPlot asks for some of it while it is loaded.
vi.hoisted(() => {
  class Observer {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  /** A surface that takes every stroke and shows none. */
  const context = new Proxy(
    {},
    { get: (_, name) => (name === 'measureText' ? () => ({ width: 10 }) : () => {}), set: () => true },
  );
  Object.assign(globalThis, {
    ResizeObserver: Observer,
    Path2D: class {
      constructor() {
        // biome-ignore lint/correctness/noConstructorReturn: a path takes every stroke as the surface does.
        return context;
      }
    },
    matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }),
  });
  HTMLCanvasElement.prototype.getContext = (() => context) as never;
});

afterEach(cleanup);

const line = (id: string, values: (number | null)[], units: string): ChartSeries => {
  const times = values.map((_, i) => i * HOUR);
  const shown = values.filter((value) => value !== null);
  const count = shown.length;
  const stats = {
    count,
    min: count > 0 ? Math.min(...shown) : null,
    // What the server says, which knows more than the points: not their mean.
    avg: count > 0 ? 1234 : null,
    max: count > 0 ? Math.max(...shown) : null,
    last: shown.at(-1) ?? null,
  };
  return { id, label: id, units, points: { stepMs: 0, times, min: values, avg: values, max: values, stats } };
};

function show(series: ChartSeries[], onZoom = vi.fn(), onZoomOut = vi.fn()) {
  render(
    <MantineProvider env="test">
      <TimeSeriesChart
        title="Roof"
        series={series}
        span={{ from: 0, to: 4 * HOUR }}
        timeZone="UTC"
        onZoom={onZoom}
        onZoomOut={onZoomOut}
      />
    </MantineProvider>,
  );
  return { onZoom, onZoomOut };
}

const two = () => [line('east', [1000, 2000, null, 6000], 'W'), line('west', [1, 1, 1, 1], 'kW')];

describe('a time series chart', () => {
  it('says which value is not of a whole interval, in the legend and in the table', async () => {
    const days = line('east', [5000, 6000, 400], 'Wh');
    const points = { ...days.points, stepMs: HOUR, partial: [2 * HOUR] };
    points.stats = { ...points.stats, min: 5000 };
    show([{ ...days, points }]);
    const legend = screen.getByRole('region', { name: 'Legend of Roof' });
    expect(within(legend).getByText('so far').parentElement?.textContent).toBe('0.40 kWh so far');
    expect(within(legend).getAllByText('5.00 kWh')).toHaveLength(1);
    await userEvent.click(screen.getByRole('button', { name: 'Chart menu of Roof' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Show as a table' }));
    const table = screen.getByRole('region', { name: 'Roof, values' });
    expect(within(table).getAllByRole('row')[1]?.textContent).toContain('400 Wh (so far)');
    cleanup();
    // The legend of a mean shows the newest value, which is not part of an interval.
    show([{ ...days, points: { ...points, stats: { ...points.stats, last: 450 } } }]);
    expect(screen.queryByText('so far')).toBeNull();
  });

  it('names its range where that is not the one of the page', () => {
    render(
      <MantineProvider env="test">
        <TimeSeriesChart
          title="Roof"
          series={two()}
          span={{ from: 0, to: 4 * HOUR }}
          timeZone="UTC"
          rangeName="Last 3 days"
          onZoom={vi.fn()}
          onZoomOut={vi.fn()}
        />
      </MantineProvider>,
    );
    expect(screen.getByText(/^Last 3 days · UTC/).textContent).toContain('Last 3 days');
  });

  it('tells the last, smallest, mean and largest value of each line', () => {
    show(two());
    const row = within(screen.getByRole('row', { name: /east/ }));
    expect(row.getAllByRole('cell').map((cell) => cell.textContent)).toEqual([
      'east',
      '6.00 kW',
      '1.00 kW',
      '1.23 kW',
      '6.00 kW',
    ]);
  });

  it('shows one line alone at a click on its name, and all of them at the next', async () => {
    show(two());
    const pressed = () =>
      ['east', 'west'].map((name) => screen.getByRole('button', { name }).getAttribute('aria-pressed'));
    await userEvent.click(screen.getByRole('button', { name: 'east' }));
    expect(pressed()).toEqual(['true', 'false']);
    await userEvent.click(screen.getByRole('button', { name: 'east' }));
    expect(pressed()).toEqual(['true', 'true']);
  });

  it('zooms with the keyboard', async () => {
    const { onZoom, onZoomOut } = show(two());
    screen.getByRole('group', { name: 'Chart: Roof' }).focus();
    await userEvent.keyboard('+');
    expect(onZoom).toHaveBeenCalledWith({ from: HOUR, to: 3 * HOUR });
    await userEvent.keyboard('{Escape}');
    expect(onZoomOut).toHaveBeenCalledOnce();
  });

  it('can be read as a table', async () => {
    show(two());
    await userEvent.click(screen.getByRole('button', { name: 'Chart menu of Roof' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Show as a table' }));
    const table = within(screen.getByRole('region', { name: 'Roof, values' }));
    expect(table.getAllByRole('row')[1]?.textContent).toBe('Jan 1, 1970 03:00:006.00 kW1.00 kW');
  });

  it('says so when the range has no values', () => {
    show([line('east', [null, null], 'W')]);
    expect(screen.getByText('No values in this time range.')).toBeTruthy();
  });
});
