import { newCalculation } from '@albedo/contract/calculations/calculations.schema';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { StoragePage } from './storage-page.tsx';

const CALCULATION = '6f9619ff-8b86-4d01-b42d-00c04fc964ff';
const GONE = '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11';
const YIELD = {
  ...newCalculation.parse({
    name: 'Yield',
    target: { kind: 'entities', entities: ['hilltop'] },
    values: {
      counter: { kind: 'aggregate', streams: { role: 'energyTotal' }, operator: 'difference', units: 'kWh' },
      energy: { kind: 'formula', formula: 'counter', units: 'kWh', isPrimary: true },
    },
  }),
  _id: CALCULATION,
  ...{ version: 1, updatedAt: 0, since: 0, computedAt: 0, waiting: 0, failure: null },
};
const use = { bytes: 2000, events: 10 };
const STORAGE = {
  ...use,
  tables: [],
  devices: [
    { ...use, device: CALCULATION },
    { ...use, device: GONE },
  ],
  months: [],
  bytesPerDay: 100,
  bytesInAYear: 36_500,
};

test('what a calculation wrote stands under its name, not as a deleted device', async () => {
  signInAs();
  fakeNetwork(({ path }) => {
    if (path.includes('/storage/')) return { body: STORAGE };
    return { body: path.includes('/calculationsV2/') ? [YIELD] : [] };
  });
  await showScreen(<StoragePage />);
  const link = await screen.findByRole('link', { name: 'Calculation Yield' });
  expect(link.getAttribute('href')).toBe(`/admin/data/calculations/${CALCULATION}`);
  expect(await screen.findByText('Deleted device or calculation')).toBeTruthy();
});
