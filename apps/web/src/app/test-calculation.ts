import { type Calculation, newCalculation } from '@albedo/contract/calculations/calculations.schema';

/** A calculation for tests: the energy of one plant from its counter. */
export const calculation: Calculation = {
  ...newCalculation.parse({
    name: 'Yield',
    target: { kind: 'entities', entities: ['hilltop'] },
    values: {
      counter: { kind: 'aggregate', streams: { role: 'energyTotal' }, operator: 'difference', units: 'kWh' },
      energy: { kind: 'formula', formula: 'counter', units: 'kWh', isPrimary: true },
    },
  }),
  _id: '6f9619ff-8b86-4d01-b42d-00c04fc964ff',
  version: 2,
  updatedAt: 0,
  since: 0,
  computedAt: 0,
  waiting: 0,
  failure: null,
};
