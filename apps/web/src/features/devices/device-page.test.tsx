import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { DevicePage } from './device-page.tsx';

const device = buildDevice('Roof');
let tab = '';

vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<typeof import('@tanstack/react-router')>()),
  useParams: () => ({ deviceId: device.id, tab }),
}));
vi.mock('../../app/inside.ts', async (original) => ({
  ...(await original<typeof import('../../app/inside.ts')>()),
  announced: (part: string) =>
    part === 'device'
      ? [
          { id: 'general', title: 'General', Content: () => <p>The overview</p> },
          { id: 'remote-shell', title: 'Remote shell', right: 'commands', Content: () => <p>A terminal</p> },
        ]
      : [],
}));

async function show(name: string, role: string): Promise<void> {
  tab = name;
  signInAs({ scopes: { demo: { role, permissions: [], ps: '', devGroup: null, scopes: { device: [] } } } });
  fakeNetwork(() => ({ body: device }));
  await showScreen(<DevicePage />);
}

test('a tab that there is none of says so, and leads to the overview', async () => {
  await show('genral', 'owner');
  expect(await screen.findByText('There is no tab “genral”')).toBeTruthy();
  expect(screen.queryByText('The overview')).toBeNull();
  expect(screen.getByRole('link', { name: 'To the overview of the device' })).toBeTruthy();
});

test('a tab of others says that it is not for them', async () => {
  await show('remote-shell', 'readonly');
  expect(await screen.findByText('You may not open Remote shell')).toBeTruthy();
});

test('a tab that is there is shown', async () => {
  await show('remote-shell', 'owner');
  expect(await screen.findByText('A terminal')).toBeTruthy();
});
