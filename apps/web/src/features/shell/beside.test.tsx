import { screen } from '@testing-library/react';
import { lazy } from 'react';
import { expect, test, vi } from 'vitest';
import { showScreen } from '../../app/test-screen.tsx';
import { Beside } from './beside.tsx';

test('what cannot be loaded beside a screen takes nothing else away', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const Unreachable = lazy(async () => {
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
  await vi.waitFor(() => expect(logged).toHaveBeenCalled());
  expect(screen.getByRole('heading', { name: 'Devices' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Help' })).toBeTruthy();
});
