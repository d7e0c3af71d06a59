import { expect, test } from 'vitest';
import { linesOf, rangesOf } from './found-lines.ts';

const at = (unit: number, rest: object = {}) => ({
  ...{ ip: '10.0.0.5', port: 502, unit, protocol: 'sunspec', manufacturer: null, model: null, serial: null },
  ...rest,
});

test('what answers behind one port in one protocol is one service', () => {
  const found = [at(3), at(1), at(2), at(7), at(4, { protocol: 'modbus' }), at(1, { ip: '10.0.0.6' })];
  expect(linesOf(found as never)).toEqual([
    { plugin: 'sunspec', host: '10.0.0.5', port: 502, units: '1-3,7', service: 'sunspec-10-0-0-5-502' },
    { plugin: 'modbus', host: '10.0.0.5', port: 502, units: '4', service: 'modbus-10-0-0-5-502' },
    { plugin: 'sunspec', host: '10.0.0.6', port: 502, units: '1', service: 'sunspec-10-0-0-6-502' },
  ]);
});

test('bus addresses are written as ranges', () => {
  expect(rangesOf([])).toBe('');
  expect(rangesOf([5, 1, 2, 2, 247, 246])).toBe('1-2,5,246-247');
});
