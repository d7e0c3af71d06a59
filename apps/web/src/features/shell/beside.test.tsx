import { screen } from '@testing-library/react';
import { lazy } from 'react';
import { expect, test, vi } from 'vitest';
import { showScreen } from '../../app/test-screen.tsx';
import { Beside } from './beside.tsx';

test('what cannot be loaded beside a screen takes nothing else away', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let isTried = false;
  const Unreachable = lazy(async () => {
    isTried = true;
    throw new TypeError('Importing a module script failed.');
  });
  await showScreen(
    <>
      <Beside>
        <Unreachable />
      </Beside>
      <Beside>
        <button type="button">Help</button>
      </Beside>
      <h1>Devices</h1>
    </>,
  );
  await vi.waitFor(() => expect(isTried).toBe(true));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.getByRole('heading', { name: 'Devices' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Help' })).toBeTruthy();
});
