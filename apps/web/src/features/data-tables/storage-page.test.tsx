import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { calculation } from '../../app/test-calculation.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { StoragePage } from './storage-page.tsx';

const GONE = '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11';
const use = { bytes: 2000, events: 10 };
const STORAGE = {
  ...use,
  tables: [],
  devices: [
    { ...use, device: calculation._id },
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
    return { body: path.includes('/calculationsV2/') ? [calculation] : [] };
  });
  await showScreen(<StoragePage />);
  const link = await screen.findByRole('link', { name: 'Calculation Yield' });
  expect(link.getAttribute('href')).toBe(`/admin/data/calculations/${calculation._id}`);
  expect(await screen.findByText('Deleted device or calculation')).toBeTruthy();
});
