import type { LongAction } from '@albedo/contract/long-actions/long-actions.schema';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { Activity } from './activity.tsx';

const action = (rest: Partial<LongAction>): LongAction => ({
  id: crypto.randomUUID(),
  kind: 'workgroup-export',
  about: 'Solar North',
  state: 'running',
  progress: 0.4,
  result: null,
  file: null,
  error: null,
  canCancel: true,
  by: 's@example.org',
  createdAt: Date.now(),
  endedAt: null,
  expiresAt: null,
  ...rest,
});

async function open(shown: LongAction) {
  const asked = fakeNetwork(({ path }) => ({ body: path.includes('/opsteam/long-actions') ? [shown] : [] }));
  signInAs({ staff: true });
  await showScreen(<Activity />);
  await userEvent.click(await screen.findByRole('button', { name: /^Activity/ }));
  await screen.findByText('Export of Solar North');
  return asked;
}

test('what runs is found again, with how far it is, and can be cancelled', async () => {
  const running = action({});
  const asked = await open(running);
  expect(screen.getByRole('progressbar', { name: 'Export of Solar North' })).toBeTruthy();
  expect(screen.getByText('Running, 40 %')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(asked.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
    expect.stringContaining(`/opsteam/long-actions/${running.id}/cancel`),
  ]);
});

test('what failed says why and can be tried again', async () => {
  await open(action({ state: 'failed', error: 'The disk is full.', canCancel: false, progress: null }));
  expect(screen.getByRole('alert').textContent).toBe('The disk is full.');
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
});

test('what is done offers its file', async () => {
  await open(action({ state: 'done', canCancel: false, file: { name: 'a.tar.gz', size: 5 } }));
  expect(screen.getByRole('button', { name: 'Download a.tar.gz (5 B)' })).toBeTruthy();
});
