import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { changedLines } from './changed-lines.ts';
import { TwinCard } from './twin-card.tsx';

const now = Date.now();
const desired = { text: 'machine: true\ndebug: 0\n', hash: 'a', by: 'zoe@example.org', at: now };
const reported = { text: 'machine: false\ndebug: 0\n', hash: 'b', at: now };

test('a device that differs says since when, shows the lines, and what it has can be kept', async () => {
  signInAs();
  const asked = fakeNetwork(({ method }) => ({
    body:
      method === 'GET'
        ? { desired, reported, differsSince: now - 7_200_000 }
        : { desired: reported, reported, differsSince: null },
  }));
  await showScreen(<TwinCard device={buildDevice('Roof', { configDiffersSince: now - 7_200_000 })} />);
  expect(await screen.findByText(/differs from the desired configuration since 2 h/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Show the difference' }));
  expect(await screen.findByText('− machine: false')).toBeTruthy();
  expect(screen.getByText('+ machine: true')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Keep what is on the device' }));
  const sent = () => asked.find(({ method }) => method === 'PUT')?.body;
  await vi.waitFor(() => expect(sent()).toEqual({ text: reported.text }));
  expect(await screen.findByText('The device has the desired configuration.')).toBeTruthy();
});

test('a desired configuration that the device put back is called refused, with the reason', async () => {
  signInAs();
  fakeNetwork(() => ({ body: { desired, reported, differsSince: now - 60_000 } }));
  const told = {
    kind: 'config',
    name: '/etc/albedo/albedo.yaml',
    at: now,
    why: 'no connection followed',
  } as const;
  const device = (hash: string) =>
    buildDevice('Roof', { configDiffersSince: now, wentBack: { ...told, hash } });
  await showScreen(<TwinCard device={device(desired.hash)} />);
  expect((await screen.findByRole('alert')).textContent).toContain(
    'no connection followed. The desired one was refused',
  );
});

test('only what lies between the first and the last difference changes, with lines around it', () => {
  const shown = (before: string, after: string) =>
    changedLines(before, after).map(({ mark, line }) => `${mark}${line}`);
  expect(shown('a\nb\nc', 'a\nx\nc')).toEqual([' a', '−b', '+x', ' c']);
  expect(shown('a\na', 'a\na\na')).toEqual([' a', ' a', '+a']);
  expect(shown('a', 'a')).toEqual([' a']);
});
