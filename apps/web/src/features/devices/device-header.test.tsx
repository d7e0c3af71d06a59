import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { DeviceActions } from './device-header.tsx';
import { QuarantineCard } from './quarantine-card.tsx';

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

test('a device is put into quarantine with a reason, and its page says who did it and why', async () => {
  signInAs();
  const device = buildDevice('Roof');
  const quarantine = { since: Date.now(), by: 'anna@example.org', reason: '<b>Stolen</b>' };
  const asked = fakeNetwork(() => ({ body: { ...device, quarantine } }));
  await showScreen(<DeviceActions device={device} />);
  await userEvent.click(await screen.findByRole('button', { name: /Roof/ }));
  await userEvent.click(await screen.findByRole('menuitem', { name: /^Quarantine/ }));
  await userEvent.type(await screen.findByLabelText('Reason'), 'Stolen');
  await userEvent.click(screen.getByRole('button', { name: 'Quarantine' }));
  await waitFor(() =>
    expect(asked.find(({ method }) => method === 'PUT')?.body).toEqual({ reason: 'Stolen' }),
  );
  await showScreen(<QuarantineCard device={{ ...device, quarantine }} />);
  const card = await screen.findByRole('region', { name: 'In quarantine' });
  expect(card.textContent).toMatch(/since .+, by anna@example\.org\. <b>Stolen<\/b>/);
});
