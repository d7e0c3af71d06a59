import { expect, test, vi } from 'vitest';
import { chartOptions, type LineShape } from './chart-options.ts';
import { lineStyle, strokeOf } from './palette.ts';

const line = (more: Partial<LineShape>): LineShape => ({
  ...{ label: 'AC Power', unit: 'W', isBanded: false, style: 0, isStepped: false },
  ...more,
});
const theme = {
  ...{ scheme: 'light' as const, text: '#000000', dimmed: '#666666', grid: '#eeeeee', surface: '#ffffff' },
  fontFamily: 'Inter',
};

// uPlot asks for it while it is loaded, and jsdom lacks it.
vi.hoisted(() => {
  const matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} });
  Object.assign(globalThis, { matchMedia });
});

test('a line, itself earlier and what a model gives for it have the same colour and strokes of their own', () => {
  const strokes = [null, 'earlier' as const, 'model' as const].map((ghost) => strokeOf(0, 'light', ghost));
  expect(new Set(strokes.map(({ dash }) => String(dash))).size).toBe(3);
  expect(new Set(strokes.map(({ colour }) => colour.slice(0, 7)))).toEqual(
    new Set([lineStyle(0, 'light').colour]),
  );
});

test('columns to compare with are paler than those that they are compared with', () => {
  const column = { offsetMs: 0, widthMs: 1 };
  const lines = [line({ column }), line({ column, ghost: 'earlier' })];
  const shape = { width: 100, height: 100, lines, timeZone: 'UTC', theme, isLive: false };
  const { series } = chartOptions(shape, {}, () => ({ from: 0, to: 1 }));
  const [now, earlier] = [series[1]?.fill, series[4]?.fill].map((fill) =>
    Number.parseInt(String(fill).slice(7), 16),
  );
  expect(earlier).toBeLessThan((now ?? 0) / 2);
});
