import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { rememberInstallOffer } from '../../app/install-offer.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { AppearancePanel } from './appearance-panel.tsx';

test('the app is installed from the profile where the browser offers it, which it does once', async () => {
  signInAs();
  fakeNetwork(() => ({ body: {} }));
  rememberInstallOffer();
  await showScreen(<AppearancePanel />);
  expect(screen.queryByText('App on this device')).toBeNull();
  const prompt = vi.fn(async () => ({ outcome: 'dismissed' }));
  act(() => void window.dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt })));
  await userEvent.click(await screen.findByRole('button', { name: 'Install' }));
  expect(prompt).toHaveBeenCalledTimes(1);
  expect(screen.queryByText('App on this device')).toBeNull();
});
