import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { AgentCard } from './agent-card.tsx';

test('a newer version is offered to those who may control devices, and only where there is one', async () => {
  signInAs();
  const device = buildDevice('Roof');
  fakeNetwork(() => ({ body: { version: '9.9.9' } }));
  await showScreen(<AgentCard device={device} />);
  expect(await screen.findByRole('button', { name: 'Upgrade to 9.9.9' })).toBeTruthy();
  expect(screen.getByText('Version 1.6.96')).toBeTruthy();
});
