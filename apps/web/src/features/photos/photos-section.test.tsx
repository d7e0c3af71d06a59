import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { PhotosSection } from './photos-section.tsx';

function network(photos: object | undefined) {
  const settings = photos === undefined ? {} : { photos };
  return fakeNetwork(({ method }) => ({
    body: method === 'GET' ? [{ name: 'demo', displayName: 'Demo', addons: [], settings }] : {},
  }));
}
const saved = (asked: ReturnType<typeof network>) =>
  asked.find(({ method, path }) => method === 'PUT' && path.endsWith('/settings/photos'))?.body;

test('how long photos stay is changed, and what is left empty is what the provider keeps', async () => {
  signInAs();
  const asked = network({ days: 90, gigabytes: 5 });
  await showScreen(<PhotosSection />);
  const [days, gigabytes] = [await screen.findByLabelText('Days'), screen.getByLabelText('Gigabytes')];
  expect([days, gigabytes].map((input) => (input as HTMLInputElement).value)).toEqual(['90', '5']);
  await userEvent.clear(days);
  await userEvent.clear(gigabytes);
  await userEvent.type(gigabytes, '2,5');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(saved(asked)).toEqual({ value: { gigabytes: 2.5 } }));
});

test('what cannot be is not sent, and its field says why', async () => {
  signInAs();
  const asked = network(undefined);
  await showScreen(<PhotosSection />);
  await userEvent.type(await screen.findByLabelText('Days'), '0');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(screen.getByLabelText('Days').getAttribute('aria-invalid')).toBe('true'));
  expect(saved(asked)).toBeUndefined();
});
