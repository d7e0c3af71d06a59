import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { showScreen, signInAs } from '../../app/test-screen.tsx';
import { DeviceActions } from './device-header.tsx';

test.each([
  { ced: false, packs: 2 },
  { ced: true, packs: 0 },
])('agent packs are offered for machines of one\u2019s own alone: $ced', async ({ ced, packs }) => {
  signInAs();
  await showScreen(<DeviceActions device={{ ...buildDevice('Roof'), ced }} />);
  await userEvent.click(await screen.findByRole('button', { name: /Roof/ }));
  expect(await screen.findByRole('menuitem', { name: 'Rename' })).toBeTruthy();
  expect(screen.queryAllByText('New agent pack')).toHaveLength(packs);
});
