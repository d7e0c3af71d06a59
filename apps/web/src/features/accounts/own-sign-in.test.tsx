import type { UserProfile } from '@albedo/contract/accounts/accounts.schema';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showScreen, signInAs } from '../../app/test-screen.tsx';
import { DetailsPanel } from './details-panel.tsx';
import { OwnSignIn } from './own-sign-in.tsx';

const idpId = '0f0a2c1e-6a58-4a38-9f5e-1d1c9b3e7a22';
const profile: UserProfile = {
  _id: '7c1f3a52-0b0e-4c55-9d5a-2f8f8f0f7a11',
  name: 'Kim Contoso',
  email: 'kim@contoso.test',
  company: '',
  phone: '',
  address: '',
  defaultWorkgroup: null,
  hasPassword: true,
  totp: { isConfirmed: false },
  mfaRequired: false,
  addonManager: false,
};

const show = (hasPassword: boolean) => {
  const shown = { ...profile, hasPassword };
  return showScreen(
    <>
      <DetailsPanel profile={shown} />
      <OwnSignIn profile={shown}>
        <p>the panels</p>
      </OwnSignIn>
    </>,
  );
};
const changeEmail = () => screen.queryByRole('button', { name: 'Change email address' });

test('after a sign-in with a password one may change address and sign-in', async () => {
  signInAs();
  await show(true);
  expect(changeEmail()).toBeTruthy();
  expect(screen.getByText('the panels')).toBeTruthy();
  expect(screen.queryByText(/identity provider/)).toBeNull();
});

test('a session of an identity provider offers nothing that the server refuses, and says why', async () => {
  signInAs({ idpId });
  await show(false);
  // Name and details are the person's own in every session.
  expect(screen.getByRole('button', { name: 'Save' })).toBeTruthy();
  expect(screen.getByText('kim@contoso.test')).toBeTruthy();
  expect(changeEmail()).toBeNull();
  expect(screen.queryByText('the panels')).toBeNull();
  expect(screen.getByText(/^Your identity provider manages this address\./)).toBeTruthy();
  expect(screen.getByText('Your identity provider manages your password and second factor.')).toBeTruthy();
});

test('an account that has a password as well is asked to sign in with it, and offered nothing until then', async () => {
  signInAs({ idpId });
  await show(true);
  expect(changeEmail()).toBeNull();
  expect(screen.queryByText('the panels')).toBeNull();
  expect(screen.getByText(/To change this address, sign in with your password/)).toBeTruthy();
  expect(screen.getByText(/Your account also has a password of its own/)).toBeTruthy();
});
