import { expect, test } from 'vitest';
import { systemFaults } from './system.ts';

test('what may be true of a system is accepted, what is not set is not asked for', () => {
  expect(systemFaults({ latitudeDeg: -90, longitudeDeg: 180, coefficientPerK: -0.0037, dcKw: 0 })).toEqual(
    [],
  );
  expect(systemFaults({ latitudeDeg: null })).toEqual([]);
});

test.each([
  [{ latitudeDeg: 91 }, 'latitudeDeg'],
  [{ longitudeDeg: -181 }, 'longitudeDeg'],
  [{ coefficientPerK: 0.0037 }, 'coefficientPerK'],
  [{ coefficientPerK: -0.37 }, 'coefficientPerK'],
  [{ efficiency: 19 }, 'efficiency'],
  [{ systemFactor: 0 }, 'systemFactor'],
  [{ albedo: 1.2 }, 'albedo'],
  [{ dcKw: -1 }, 'dcKw'],
  [{ latitudeDeg: Number.NaN }, 'latitudeDeg'],
] as const)('%o is refused with what may be', (facts, field) => {
  const [fault, ...others] = systemFaults(facts);
  expect(fault?.field).toBe(field);
  expect(others).toEqual([]);
});
