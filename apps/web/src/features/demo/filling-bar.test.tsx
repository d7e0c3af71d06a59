import type { Filling } from '@albedo/contract/demo/demo.schema';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fillingQuery } from '../../app/filling.ts';
import { queryClient } from '../../app/query-client.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { FillingBar } from './filling-bar.tsx';

const filling = (rest: Partial<Filling>): Filling => ({
  days: 397,
  share: 0.25,
  msLeft: 130_000,
  wholeFrom: 1000,
  ...rest,
});
const hear = (past: Filling | null) => queryClient.setQueryData(fillingQuery('demo').queryKey, past);

test('people read how far the past of the demo is and how long it takes, until all of it is there', async () => {
  fakeNetwork(() => ({ body: { filling: filling({ msLeft: null }) } }));
  signInAs();
  await showScreen(<FillingBar />);
  // The duration is not known yet.
  expect(await screen.findByText('Demo: filling in 13 months')).toBeTruthy();
  hear(filling({}));
  expect(await screen.findByText('Demo: filling in 13 months, 2 min left')).toBeTruthy();
  const bar = screen.getByRole('progressbar', { name: 'Demo: filling in 13 months' });
  expect(bar.getAttribute('aria-valuenow')).toBe('25');
  hear(filling({ share: 0.9, msLeft: 20_000 }));
  expect(await screen.findByText('Demo: filling in 13 months, less than a minute left')).toBeTruthy();
  expect(bar.getAttribute('aria-valuenow')).toBe('90');
  hear(null);
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
});

test('other workgroups are not asked for a past', async () => {
  const requests = fakeNetwork(() => ({ body: { filling: filling({}) } }));
  const scope = { role: 'owner', permissions: [], ps: '', devGroup: null, scopes: { device: [] } };
  signInAs({ defaultWorkgroup: 'acme', memberOf: ['acme'], scopes: { acme: scope } });
  await showScreen(<FillingBar />);
  expect(requests.filter(({ path }) => path.includes('/demo/'))).toEqual([]);
});
