import { expect, test } from 'vitest';
import { combinedLoss, degradedPart, PVWATTS_LOSSES, pvwattsAcW, pvwattsDcW } from './pvwatts.ts';
import { sapmCellC } from './temperature.ts';

test('DC power, AC power and losses have the values of the tests of pvlib', () => {
  expect(pvwattsDcW(100, 900, 30, -0.003)).toBeCloseTo(88.65, 6);
  expect(pvwattsAcW(90, 100, 0.95)).toBeCloseTo(85.58556604752516, 6);
  expect(pvwattsAcW(50, 100, 0.95)).toBeCloseTo(47.60843624, 6);
  expect(pvwattsAcW(100, 100, 0.95)).toBe(95);
  expect(pvwattsAcW(0, 100)).toBe(0);
  expect(pvwattsAcW(0.001, 1)).toBe(0);
  expect(combinedLoss()).toBeCloseTo(0.14075660688264469, 12);
  expect(combinedLoss({ ...PVWATTS_LOSSES, age: 0.01 })).toBeCloseTo(0.14934904, 8);
});

test('gaps stay gaps and a dead array gives nothing', () => {
  expect(pvwattsAcW(Number.NaN, 100)).toBeNaN();
  expect(pvwattsDcW(100, Number.NaN, 30, -0.003)).toBeNaN();
  expect(pvwattsAcW(50, 0)).toBe(0);
});

test('an array of ten years at half a per cent has 95.1 % left, a new one all', () => {
  expect(degradedPart(0.005, 10)).toBeCloseTo(0.951, 3);
  expect(degradedPart(0.005, -1)).toBe(1);
});

test('hours of the example year of NREL come out as published', () => {
  // Denver, 4 kW on a roof, losses 14.08 %, inverter 96 %, 1.2 DC to AC: plane W/m², air, wind, cells °C, DC W, AC W.
  const hours = [
    [415.778, -10, 3, 0.11, 1581.521, 1521.045],
    [709.728, -10, 4, 7.542, 2616.238, 2516.966],
    [822.568, 0, 3, 23.225, 2825.94, 2717.592],
    [133.574, -7, 5, -5.729, 502.735, 472.111],
  ] as const;
  for (const [poa, , , cells, dc, ac] of hours) {
    // Its modules lose 0.47 % a kelvin; the glass throws back up to 5 % of low light, which is not modelled here.
    const own = pvwattsDcW(4000, poa, cells, -0.0047) * (1 - combinedLoss());
    expect(Math.abs(own / dc - 1)).toBeLessThan(0.05);
    expect(pvwattsAcW(dc, 4000 / 1.2 / 0.96, 0.96)).toBeCloseTo(ac, 0);
  }
  expect(sapmCellC(0, -17, 3)).toBe(-17);
});
