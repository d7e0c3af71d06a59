import type { Workgroup } from '@albedo/contract/workgroups/workgroups.schema';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { takeWorkgroups } from '../../app/session.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { AddonsPage } from './addon-panel.tsx';

const enabled = (...ids: string[]) => {
  const addons = ids.map((id) => ({ id, name: id, settings: {} }));
  takeWorkgroups([{ name: 'demo', displayName: 'Demo', addons, settings: {} } as unknown as Workgroup]);
};

test('members read which addons are enabled, and nothing asks for those that are not', async () => {
  signInAs();
  enabled('schedules');
  const asked = fakeNetwork(() => ({ body: [] }));
  await showScreen(<AddonsPage />);
  expect(await screen.findByText('Schedules')).toBeTruthy();
  expect(screen.queryByText('Machines')).toBeNull();
  expect(screen.queryByRole('switch')).toBeNull();
  expect(asked).toEqual([]);
});

test('without an addon the page says so', async () => {
  signInAs();
  enabled();
  await showScreen(<AddonsPage />);
  expect(await screen.findByText('No addons')).toBeTruthy();
});

test('addon managers see all there are and may change them', async () => {
  signInAs({ staff: true, addonManager: true });
  enabled('schedules');
  const known = { name: '', description: '', settings: {} };
  fakeNetwork(() => ({
    body: [
      { ...known, id: 'schedules', isEnabled: true },
      { ...known, id: 'machines', isEnabled: false },
    ],
  }));
  await showScreen(<AddonsPage />);
  expect((await screen.findAllByRole('switch')).map((one) => (one as HTMLInputElement).checked)).toEqual([
    true,
    false,
  ]);
});
