import type { Invitation } from '@albedo/contract/members/members.schema';
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { fakeNetwork, showScreen } from '../../app/test-screen.tsx';
import { JoinCard } from './join-card.tsx';

const invitation: Invitation = {
  email: 'kim@contoso.test',
  name: '',
  orgName: 'demo',
  orgDisplay: 'Solar North',
  hasAccount: false,
  usesSso: true,
  expiresAt: 2_000_000_000_000,
};

beforeEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=one';
});

async function show(of: Partial<Invitation>): Promise<void> {
  fakeNetwork(() => ({ body: { ...invitation, ...of } }));
  await showScreen(<JoinCard link={{ kind: 'invitation', orgName: 'demo', token: 't' }} />);
  await screen.findByRole('button', { name: 'Join' });
}

test('somebody new who joins with an identity provider hears that no password is needed', async () => {
  await show({});
  expect(screen.getByText(/No password is needed here\./)).toBeTruthy();
});

test('people with an account hear that the identity provider replaces their password', async () => {
  await show({ hasAccount: true });
  expect(screen.getByText(/From now on, kim@contoso\.test signs in to Solar North through its/)).toBeTruthy();
  expect(screen.queryByLabelText('Password')).toBeNull();
});
