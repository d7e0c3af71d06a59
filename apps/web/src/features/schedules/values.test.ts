// @vitest-environment jsdom
import type { SetpointKind } from '@albedo/contract/schedules/setpoints';
import { t } from 'i18next';
import { expect, test } from 'vitest';
import '../../app/test-screen.tsx';
import { axisOf, faultOf, isCurtailing, partsOf, valueFrom, valueText } from './values.ts';

const POWER = 'setpoint_activepower';
const COS_PHI = 'setpoint_cosphi';
const REACTIVE = 'setpoint_reactivepower';

test.each<[SetpointKind, string, string]>([
  [POWER, '60%', '60 %'],
  [POWER, '25000 W', '25 kW'],
  [POWER, '1200000 W', '1.2 MW'],
  [COS_PHI, '0.95 under-excited', '0.95 under-excited'],
  [REACTIVE, '-20% VArMax', '−20 % of VArMax'],
  [REACTIVE, '5000 var', '5 kvar'],
  [POWER, '', '–'],
])('%s %s is entered in parts and said as %s', (kind, value, text) => {
  expect(valueFrom(kind, partsOf(kind, value))).toBe(value);
  expect(valueText(t, kind, value)).toBe(text);
});

test('what is no value says why', () => {
  expect(faultOf(POWER, { number: 120, unit: '%' })).toBe('"120%" is outside 0 to 100 %');
  expect(faultOf(COS_PHI, { number: 0.7, unit: 'over-excited' })).toContain('is outside');
  expect(faultOf(POWER, { number: null, unit: 'kW' })).toContain('is no active power such as');
  expect(faultOf(POWER, { number: null, unit: 'end' })).toBeNull();
});

test('curtailed is less than 100 %', () => {
  expect(['0%', '99%', '100%', '5 kW', ''].map((value) => isCurtailing(POWER, value))).toEqual(
    ...[[true, true, false, true, false]],
  );
  expect(isCurtailing(COS_PHI, '0.9 over-excited')).toBe(false);
});

test('a level of the axis is a value again, and another unit has no level', () => {
  const percent = axisOf(t, POWER, ['60%', '25 kW']);
  expect([percent.levelOf('60%'), percent.levelOf('25 kW'), percent.valueAt(45)]).toEqual([60, null, '45%']);
  const watts = axisOf(t, POWER, ['180 kW']);
  expect([watts.most, watts.levelOf('180 kW'), watts.valueAt(120_000)]).toEqual([
    200_000,
    180_000,
    '120000 W',
  ]);
  const cosPhi = axisOf(t, COS_PHI, []);
  expect(cosPhi.levelOf('0.95 under-excited')).toBe(-0.05);
  expect([cosPhi.valueAt(0.1), cosPhi.valueAt(-0.02)]).toEqual(['0.9 over-excited', '0.98 under-excited']);
  const reactive = axisOf(t, REACTIVE, ['-30% VArAval']);
  expect([reactive.least, reactive.valueAt(-50)]).toEqual([-100, '-50% VArAval']);
});
