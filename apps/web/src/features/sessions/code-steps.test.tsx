import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forgetPending, takeToken } from '../../app/session.ts';
import { buildToken, fakeNetwork, showScreen } from '../../app/test-screen.tsx';
import { CodeStep } from './code-steps.tsx';

beforeEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=one';
});
afterEach(forgetPending);

async function show(factors: string[]) {
  const exp = Math.floor(Date.now() / 1000) + 600;
  takeToken(buildToken({ mfa: 'code', isRecovering: false, factors, exp }));
  await showScreen(<CodeStep onGranted={async () => {}} onRecover={() => {}} onBack={() => {}} />);
}

test('an account with an authenticator app alone is asked for its code', async () => {
  await show(['totp']);
  expect(screen.getByLabelText('Authenticator code')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
});

test('an account with both may take either', async () => {
  await show(['totp', 'passkey']);
  expect(screen.getByLabelText('Authenticator code')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Use a passkey' })).toBeTruthy();
});

test('an account with a passkey alone is not asked for a code, and the recovery code stays the way out', async () => {
  await show(['passkey']);
  expect(screen.queryByLabelText('Authenticator code')).toBeNull();
  expect(screen.getByRole('button', { name: 'Use recovery code' })).toBeTruthy();
});

test('a browser without passkeys says so', async () => {
  fakeNetwork(() => ({ body: { challenge: 'AA', allowCredentials: [] } }));
  await show(['passkey']);
  await userEvent.click(screen.getByRole('button', { name: 'Use a passkey' }));
  expect(await screen.findByText(/This browser does not support passkeys/)).toBeTruthy();
});
