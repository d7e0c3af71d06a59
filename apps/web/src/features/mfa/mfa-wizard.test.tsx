import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetPending, getSession, takeToken, takeWorkgroups } from '../../app/session.ts';
import { buildToken, fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { MfaWizard } from './mfa-wizard.tsx';

const uri = 'otpauth://totp/Albedo:zoe%40example.org?secret=JBSWY3DPEHPK3PXP&issuer=Albedo';
const recoveryCode = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

beforeEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=one';
  takeToken(buildToken({ mfa: 'setup', isRecovering: false, exp: Math.floor(Date.now() / 1000) + 1200 }));
});
afterEach(() => {
  vi.useRealTimers();
  forgetPending();
});

async function showWizard() {
  const ends = { onDone: vi.fn(), onExit: vi.fn(), onExpired: vi.fn() };
  await showScreen(<MfaWizard {...ends} />);
  return ends;
}

test('six steps lead to a session, the recovery code and, two seconds later, the app', async () => {
  fakeNetwork(({ method }) => ({
    body: method === 'POST' ? { uri } : { token: buildToken(), recoveryCode },
  }));
  const { onDone } = await showWizard();
  press('Next');
  press('Create QR code');
  await screen.findByText('The QR code is ready.');
  press('Next');
  expect(screen.getByRole('img', { name: 'QR code for the authenticator app' })).toBeTruthy();
  expect(screen.getByText('JBSW').parentElement?.textContent).toBe('JBSWY3DPEHPK3PXP');
  press('Next');
  fireEvent.change(screen.getByLabelText('Authenticator code'), { target: { value: '123456' } });
  press('Confirm');
  await screen.findByText('The code is correct.');
  expect((screen.getByRole('button', { name: 'Back' }) as HTMLButtonElement).disabled).toBe(true);
  press('Next');
  expect(screen.getByText('ABCD').parentElement?.textContent).toBe(recoveryCode);
  press('Next');
  vi.useFakeTimers();
  press('Done');
  expect(getSession()).not.toBeNull();
  expect(onDone).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(onDone).toHaveBeenCalledOnce();
});

async function reachDone() {
  press('Next');
  press('Create QR code');
  await screen.findByText('The QR code is ready.');
  press('Next');
  press('Next');
  fireEvent.change(screen.getByLabelText('Authenticator code'), { target: { value: '123456' } });
  press('Confirm');
  await screen.findByText('The code is correct.');
  press('Next');
  press('Next');
}

test('setting it up in the profile stays in the workgroup, which looks as before', async () => {
  const scope = { role: 'admin', permissions: [], ps: '', devGroup: null, scopes: { device: [] } };
  const claims = { scopes: { demo: scope, north: scope } };
  signInAs(claims);
  takeWorkgroups([{ name: 'demo' }] as unknown as Parameters<typeof takeWorkgroups>[0]);
  const before = getSession();
  const token = buildToken({ ...claims, defaultWorkgroup: 'north', jti: 'b' });
  fakeNetwork(({ method }) => ({ body: method === 'POST' ? { uri } : { token, recoveryCode } }));
  await showWizard();
  await reachDone();
  press('Done');
  expect(getSession()).toMatchObject({ token, workgroup: 'demo', workgroups: before?.workgroups });
});

test('people without any workgroup left read so', async () => {
  const token = buildToken({ scopes: {} });
  fakeNetwork(({ method }) => ({ body: method === 'POST' ? { uri } : { token, recoveryCode } }));
  const { onDone, onExpired } = await showWizard();
  await reachDone();
  press('Done');
  expect(onExpired).toHaveBeenCalledExactlyOnceWith(
    "You don't have access to any workgroups, please contact an admin or support",
  );
  expect(onDone).not.toHaveBeenCalled();
  expect(getSession()).toBeNull();
});

test('a wrong code shows in the words of the server, and the step stays', async () => {
  fakeNetwork(({ method }) =>
    method === 'POST'
      ? { body: { uri } }
      : { status: 400, body: { code: 400, message: 'Invalid authenticator code' } },
  );
  await showWizard();
  press('Next');
  press('Create QR code');
  await screen.findByText('The QR code is ready.');
  press('Next');
  press('Next');
  fireEvent.change(screen.getByLabelText('Authenticator code'), { target: { value: '000000' } });
  press('Confirm');
  expect(await screen.findByText('Invalid authenticator code')).toBeTruthy();
  expect((screen.getByRole('button', { name: 'Next' }) as HTMLButtonElement).disabled).toBe(true);
});

test('six characters that cannot be a code are a wrong code', async () => {
  const message = 'Not accepted: key in the body: Invalid authenticator code';
  fakeNetwork(({ method }) =>
    method === 'POST'
      ? { body: { uri } }
      : { status: 400, body: { code: 400, error: 'request.invalid', message } },
  );
  await showWizard();
  press('Next');
  press('Create QR code');
  await screen.findByText('The QR code is ready.');
  press('Next');
  press('Next');
  fireEvent.change(screen.getByLabelText('Authenticator code'), { target: { value: 'abcdef' } });
  press('Confirm');
  expect(await screen.findByText('Invalid authenticator code')).toBeTruthy();
});

test('after 20 minutes it is over', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  takeToken(buildToken({ mfa: 'setup', isRecovering: false, exp: Math.floor(Date.now() / 1000) + 1200 }));
  const { onExpired } = await showWizard();
  await act(() => vi.advanceTimersByTimeAsync(19.9 * 60_000));
  expect(onExpired).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(onExpired).toHaveBeenCalledOnce();
});

test('the first step can be left', async () => {
  const { onExit } = await showWizard();
  press('Exit');
  expect(onExit).toHaveBeenCalledOnce();
});
