import type { Reading } from '@albedo/contract/plants/plant-reading';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import '../../app/test-screen.tsx';
import { Flow } from './flow.tsx';
import { wayOf } from './grid-way.ts';

afterEach(cleanup);

const of = (value: number | null): Reading =>
  value === null ? { value, at: null, missing: 'noSource' } : { value, at: 1, missing: null };

function show(gridW: number, powerW: number) {
  const nothing = of(null);
  render(
    <Flow
      reading={{
        ...{ power: of(powerW), grid: of(gridW), load: of(powerW + gridW), battery: nothing },
        ...{ poa: nothing, ghi: nothing, stateOfCharge: nothing },
      }}
    />,
  );
  return screen.getByRole('img').getAttribute('aria-label');
}

test('what goes to the grid has a word and a sign, and so has what comes from it', () => {
  expect(show(-371_000, 400_000)).toContain('Grid export −371.00 kW');
  cleanup();
  expect(show(12_000, 400_000)).toContain('Grid import 12.00 kW');
  cleanup();
  expect(show(2, 400_000)).toContain('Grid 0.00 kW');
});

test('all powers have the step of the largest', () => {
  expect(show(675, 3000)).toContain('Inverters 3.00 kW, Site 3.68 kW, Grid import 0.68 kW');
  cleanup();
  expect(show(0, 675)).toContain('Inverters 675 W, Site 675 W');
});

test('only what has two ways has a word for them', () => {
  expect([wayOf('gridPower', -6), wayOf('gridPower', 6), wayOf('gridPower', -5)]).toEqual([
    'export',
    'import',
    null,
  ]);
  expect([wayOf('batteryPower', 6), wayOf('batteryPower', -6)]).toEqual(['discharging', 'charging']);
  expect([wayOf('acPower', -6), wayOf(undefined, 6), wayOf('gridPower', null)]).toEqual([null, null, null]);
});
