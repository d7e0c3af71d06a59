import { apiTokensApi } from '@albedo/contract/api-tokens/api-tokens.api';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { call } from '../../app/call.ts';
import { getSession } from '../../app/session.ts';
import { buildToken, fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { StepUpDialog } from './step-up-dialog.tsx';

const FRESH = buildToken({ confirmedAt: 2_000_000_000 });
const revoke = () => call(apiTokensApi.revoke, { params: { wg: 'demo', apiToken: '1' } });

/** A server that wants a confirmation for everything but what confirms. */
function server() {
  return fakeNetwork(({ path, method, headers }) => {
    if (path.endsWith('/me/confirm'))
      return { body: method === 'GET' ? { factors: ['password'] } : { token: FRESH } };
    const isFresh = headers.get('authorization') === `Bearer ${FRESH}`;
    if (isFresh) return { body: { ok: true } };
    return { status: 403, body: { code: 403, message: 'Confirm', error: 'session.not_fresh' } };
  });
}

beforeEach(async () => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=one';
  signInAs();
  await showScreen(<StepUpDialog />);
});

test('calls that need a confirmation wait for one dialog and are made again', async () => {
  const asked = server();
  const both = Promise.all([revoke(), revoke()]);
  fireEvent.change(await screen.findByLabelText('Password'), { target: { value: 'secret' } });
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(await both).toEqual([{ ok: true }, { ok: true }]);
  expect(asked.filter(({ path }) => path.endsWith('/me/confirm')).map(({ method }) => method)).toEqual([
    'GET',
    'POST',
  ]);
  expect(getSession()?.token).toBe(FRESH);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('people who do not confirm read why it was not done', async () => {
  server();
  const one = revoke();
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  await expect(one).rejects.toThrow('Confirm');
});

test('what takes a passkey asks for one after a code was not enough, and says so where there is none', async () => {
  let factors = ['totp', 'passkey'];
  fakeNetwork(({ path, method, headers }) => {
    if (path.endsWith('/me/confirm')) return { body: method === 'GET' ? { factors } : { token: FRESH } };
    const isFresh = headers.get('authorization') === `Bearer ${FRESH}`;
    const error = isFresh ? 'shell.passkey_needed' : 'session.not_fresh';
    return { status: 403, body: { code: 403, message: 'A passkey is needed', error } };
  });
  const one = revoke();
  fireEvent.change(await screen.findByLabelText('Authenticator code'), { target: { value: '123456' } });
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  await waitFor(() => expect(screen.queryByLabelText('Authenticator code')).toBeNull());
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  await expect(one).rejects.toThrow('A passkey is needed');

  factors = ['totp'];
  await expect(revoke()).rejects.toThrow('A passkey is needed');
});

test('a code can be typed at once', async () => {
  fakeNetwork(({ path }) =>
    path.endsWith('/me/confirm')
      ? { body: { factors: ['totp', 'passkey'] } }
      : { status: 403, body: { code: 403, message: 'Confirm', error: 'session.not_fresh' } },
  );
  const one = revoke();
  const code = await screen.findByLabelText('Authenticator code');
  await waitFor(() => expect(document.activeElement).toBe(code));
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await expect(one).rejects.toThrow('Confirm');
});

test('people of an identity provider go there to confirm, and this tab knows where it was', async () => {
  const asked = fakeNetwork(({ path, method }) => {
    if (path.endsWith('/me/confirm')) return { body: { factors: ['sso'] } };
    if (path.endsWith('/sso/confirm') && method === 'POST')
      return { body: { url: 'https://idp.example/sso' } };
    return { status: 403, body: { code: 403, message: 'Confirm', error: 'session.not_fresh' } };
  });
  void revoke().catch(() => {});
  fireEvent.click(await screen.findByRole('button', { name: 'Sign in again' }));
  await waitFor(() => expect(sessionStorage.getItem('albedo.confirming')).toBe('/'));
  expect(asked.map(({ path }) => path).filter((path) => path.endsWith('/sso/confirm'))).toHaveLength(1);
});
