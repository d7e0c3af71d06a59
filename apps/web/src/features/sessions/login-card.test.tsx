import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetPending, getPending, getSession } from '../../app/session.ts';
import { buildToken, type Exchange, fakeNetwork, showScreen } from '../../app/test-screen.tsx';
import { MfaWizard } from '../mfa/mfa-wizard.tsx';
import { LoginCard } from './login-card.tsx';

beforeEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=one';
});

afterEach(() => {
  vi.useRealTimers();
  forgetPending();
});

async function submit(password: string, onSignedIn: () => unknown = () => {}) {
  await showScreen(<LoginCard wizard={MfaWizard} email="" onSignedIn={onSignedIn} />);
  const user = userEvent.setup();
  expect(document.activeElement).toBe(screen.getByLabelText('Email'));
  await user.type(screen.getByLabelText('Email'), 'owner@example.org');
  await user.type(screen.getByLabelText('Password'), `${password}{Enter}`);
  return user;
}

test('Enter signs in and leads on', async () => {
  const asked = fakeNetwork(() => ({ body: { token: buildToken() } }));
  const onSignedIn = vi.fn();
  await submit('right', onSignedIn);
  await vi.waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce());
  expect(asked[0]?.body).toEqual({ email: 'owner@example.org', password: 'right' });
  expect(getSession()?.user.email).toBe('zoe@example.org');
});

test('the card is busy until the app is there, however long that takes to load', async () => {
  fakeNetwork(() => ({ body: { token: buildToken() } }));
  let isThere = () => {};
  const onSignedIn = vi.fn(() => new Promise<void>((resolve) => (isThere = resolve)));
  await submit('right', onSignedIn);
  await vi.waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce());
  const button = screen.getByRole('button', { name: 'Continue' });
  expect(button.getAttribute('data-loading')).toBe('true');
  isThere();
  await vi.waitFor(() => expect(button.getAttribute('data-loading')).toBeNull());
});

test.each([
  [400, 'Invalid login: Try continuing with SAML SSO'],
  [401, 'Invalid username and/or password'],
  [429, 'Too many requests.. Please try again later'],
])('status %i says: %s', async (status, text) => {
  fakeNetwork(() => ({ status, body: { code: status, message: 'something else' } }));
  await submit('wrong');
  expect(await screen.findByText(text)).toBe(screen.getByRole('alert'));
});

test.each([400, 401, 429])(
  'a proxy that answers %i for the server is told in the same words',
  async (status) => {
    fakeNetwork(() => ({ status, body: '' }));
    await submit('wrong');
    const said = await screen.findByText(/Invalid|Too many/);
    expect(said).toBe(screen.getByRole('alert'));
  },
);

test.each([
  [{ error: 'session.use_sso', message: 'x' }, /Your organisation signs you in/],
  [{ error: 'request.invalid', message: 'x' }, /Otherwise check the email address/],
])('a refusal of %j says what to do beside its words', async (body, hint) => {
  fakeNetwork(() => ({ status: 400, body: { code: 400, ...body } }));
  await submit('wrong');
  expect(await screen.findByText(hint)).toBe(screen.getByRole('status'));
  expect(screen.getByRole('alert').textContent).toBe('Invalid login: Try continuing with SAML SSO');
});

test('an address without single sign-on reads what to do in place of it', async () => {
  const failure = { code: 404, error: 'sso.not_found', message: 'SAML SSO not found' };
  fakeNetwork(() => ({ status: 404, body: failure }));
  await showScreen(
    <LoginCard wizard={MfaWizard} email="zoe@example.org" startsWith="saml" onSignedIn={() => {}} />,
  );
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Continue with SAML SSO' }));
  expect(await screen.findByText('SAML SSO not found')).toBeTruthy();
  expect(screen.getByText(/go back to login and enter your password/)).toBeTruthy();
});

test.each([
  [500, 'TypeError: cannot read x of undefined'],
  [502, { detail: 'upstream' }],
  [503, { error: { message: 'pool exhausted' } }],
])('a broken server that answers %i %j is an unknown error at sign-in', async (status, body) => {
  fakeNetwork(() => ({ status, body }));
  await submit('right');
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Unknown error'));
});

test('after a refusal the password is selected, so that typing replaces it', async () => {
  fakeNetwork(() => ({ status: 401, body: { code: 401, message: 'Unauthorized' } }));
  const user = await submit('wrong');
  await screen.findByText('Invalid username and/or password');
  await user.keyboard('right');
  expect((screen.getByLabelText('Password') as HTMLInputElement).value).toBe('right');
});

test('an answer without a token shows a failure', async () => {
  fakeNetwork(() => ({ body: {} }));
  await submit('right');
  expect(await screen.findByText('response token failed')).toBeTruthy();
});

test('the password can be shown and hidden', async () => {
  await showScreen(<LoginCard wizard={MfaWizard} email="a@b.cd" onSignedIn={() => {}} />);
  const password = screen.getByLabelText('Password');
  await userEvent.click(screen.getByRole('button', { name: 'Show or hide the password' }));
  expect(password.getAttribute('type')).toBe('text');
  await userEvent.click(screen.getByRole('button', { name: 'Show or hide the password' }));
  expect(password.getAttribute('type')).toBe('password');
});

const now = () => Math.floor(Date.now() / 1000);
const codeToken = () => buildToken({ mfa: 'code', isRecovering: false, exp: now() + 600 });
const setupToken = () => buildToken({ mfa: 'setup', isRecovering: true, exp: now() + 1200 });
const recoveryCode = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A server that wants a second factor; `answer` decides what comes after the password. */
function wantCode(answer: (asked: Exchange) => { status?: number; body?: unknown }) {
  return fakeNetwork((asked) =>
    asked.path.endsWith('/auth/local') ? { body: { token: codeToken() } } : answer(asked),
  );
}

async function reachCode(onSignedIn = () => {}) {
  const user = await submit('right', onSignedIn);
  await screen.findByLabelText('Authenticator code');
  return user;
}

test('an account with a second factor is asked for its code, and the login token is no session', async () => {
  const asked = wantCode(() => ({ body: { token: buildToken() } }));
  const onSignedIn = vi.fn();
  const user = await reachCode(onSignedIn);
  expect(getSession()).toBeNull();
  const button = () => screen.getByRole('button', { name: 'Continue' }) as HTMLButtonElement;
  await user.type(screen.getByLabelText('Authenticator code'), '12345');
  expect(button().disabled).toBe(true);
  const token = getPending()?.token;
  await user.keyboard('6{Enter}');
  await vi.waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce());
  expect(asked.at(-1)).toMatchObject({ path: '/api/v1/auth/local/totp', body: { key: '123456' } });
  expect(asked.at(-1)?.headers.get('authorization')).toBe(`Bearer ${token}`);
  expect(getSession()).not.toBeNull();
});

test('a wrong code shows a failure and the step stays', async () => {
  wantCode(() => ({ status: 400, body: { code: 400, message: 'x' } }));
  const user = await reachCode();
  await user.type(screen.getByLabelText('Authenticator code'), '000000{Enter}');
  expect(await screen.findByText('Invalid authenticator code')).toBeTruthy();
  expect(screen.getByLabelText('Authenticator code')).toBeTruthy();
});

test('whose second factor is locked reads for how long, in place of an invalid code', async () => {
  const message = 'Too many wrong codes. Wait 7 minutes, then try again.';
  const facts = { minutes: 7, retryAfterS: 400 };
  wantCode(() => ({ status: 429, body: { code: 429, message, error: 'mfa.locked', facts } }));
  const user = await reachCode();
  await user.type(screen.getByLabelText('Authenticator code'), '123456{Enter}');
  expect(await screen.findByText(message)).toBe(screen.getByRole('alert'));
});

test('people without a workgroup read so after the right code', async () => {
  wantCode(() => ({ body: { token: buildToken({ scopes: {} }) } }));
  const user = await reachCode();
  await user.type(screen.getByLabelText('Authenticator code'), '123456{Enter}');
  expect(
    await screen.findByText("You don't have access to any workgroups, please contact an admin or support"),
  ).toBe(screen.getByRole('alert'));
  expect(getSession()).toBeNull();
  expect(localStorage.getItem('albedo.token')).toBeNull();
});

test('an expired login token says so and returns to the login after two seconds', async () => {
  wantCode(() => ({ status: 401, body: { code: 401, message: 'x' } }));
  const user = await reachCode();
  await user.type(screen.getByLabelText('Authenticator code'), '000000');
  vi.useFakeTimers({ shouldAdvanceTime: true });
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await vi.waitFor(() =>
    expect(screen.getByRole('alert').textContent).toBe('Session expired.  Please enter your password again.'),
  );
  expect(screen.queryByLabelText('Password')).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(screen.getByLabelText('Password')).toBeTruthy();
  expect(getPending()).toBeNull();
});

test('the recovery code leads over its explanation to the set-up', async () => {
  wantCode(() => ({ body: { token: setupToken() } }));
  const user = await reachCode();
  await user.click(screen.getByRole('button', { name: 'Use recovery code' }));
  const field = await screen.findByLabelText('Recovery code');
  await user.type(field, recoveryCode.slice(1));
  expect((screen.getByRole('button', { name: 'Continue' }) as HTMLButtonElement).disabled).toBe(true);
  await user.type(field, 'A{Enter}');
  await screen.findByText('Recovery code accepted');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('1. Information')).toBeTruthy();
});

test('a refused recovery code shows a failure, and there is a way back to the code', async () => {
  wantCode(() => ({ status: 400, body: { code: 400, message: 'x' } }));
  const user = await reachCode();
  await user.click(screen.getByRole('button', { name: 'Use recovery code' }));
  await user.type(await screen.findByLabelText('Recovery code'), `${recoveryCode}{Enter}`);
  expect(await screen.findByText('Could not recover MFA')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Back to 2FA code' }));
  expect(await screen.findByLabelText('Authenticator code')).toBeTruthy();
});

test('a forgotten password is asked for by e-mail, with the address already typed', async () => {
  const asked = fakeNetwork(() => ({}));
  await showScreen(<LoginCard wizard={MfaWizard} email="zoe@example.org" onSignedIn={() => {}} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Forgot password' }));
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  expect((await screen.findByRole('status')).textContent).toBe(
    'An email has been sent to zoe@example.org with further instructions.',
  );
  expect(asked.at(-1)).toMatchObject({ path: '/api/v1/forgot', body: { email: 'zoe@example.org' } });
  // The form shows until success.
  expect(screen.queryByLabelText('Email')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
});

test('what a proxy answers in place of the server is not printed on the card', async () => {
  globalThis.fetch = async () =>
    new Response('<html><head><title>502 Bad Gateway</title></head></html>', {
      status: 502,
      headers: { 'content-type': 'text/html' },
    });
  await showScreen(<LoginCard wizard={MfaWizard} email="zoe@example.org" onSignedIn={() => {}} />);
  const user = userEvent.setup();
  await user.type(screen.getByLabelText(/^Password/), 'secret');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect((await screen.findByText('Unknown error')).getAttribute('role')).toBe('alert');
});

test('a reset that cannot be requested shows a failure', async () => {
  fakeNetwork(() => ({ status: 500, body: { code: 500, message: 'x' } }));
  await showScreen(<LoginCard wizard={MfaWizard} email="zoe@example.org" onSignedIn={() => {}} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Forgot password' }));
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('Could not reset password.')).toBeTruthy();
});

const provider = (name: string) =>
  ({ id: crypto.randomUUID(), kind: 'oidc', name, workgroup: null }) as const;

test('single sign-on asks for the e-mail alone and leads the browser to the provider', async () => {
  const { workgroup, ...contoso } = provider('Contoso');
  const { id } = contoso;
  const asked = fakeNetwork(() => ({ body: { ...contoso, choices: [{ ...contoso, workgroup }] } }));
  const onLeave = vi.fn();
  await showScreen(<LoginCard wizard={MfaWizard} email="" onSignedIn={() => {}} onLeave={onLeave} />);
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Email'), 'zoe@example.org');
  await user.click(screen.getByRole('button', { name: 'Continue with SAML SSO' }));
  await screen.findByText('Single sign-on');
  await user.click(screen.getByRole('button', { name: 'Continue with SAML SSO' }));
  await vi.waitFor(() => expect(onLeave).toHaveBeenCalledWith(`/api/v1/auth/saml/login/sso?id=${id}`));
  expect(asked.at(-1)).toMatchObject({ path: '/api/v1/auth/saml/login', body: { email: 'zoe@example.org' } });
});

test('somebody with several providers chooses one, and may go back to the address', async () => {
  const [contoso, fabrikam] = [provider('Contoso'), { ...provider('Fabrikam'), workgroup: 'Solar North' }];
  const { workgroup, ...first } = contoso;
  fakeNetwork(() => ({ body: { ...first, choices: [{ ...first, workgroup }, fabrikam] } }));
  const onLeave = vi.fn();
  await showScreen(
    <LoginCard
      wizard={MfaWizard}
      email="zoe@example.org"
      startsWith="saml"
      onSignedIn={() => {}}
      onLeave={onLeave}
    />,
  );
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Continue with SAML SSO' }));
  expect(await screen.findByRole('button', { name: 'Contoso' })).toBe(document.activeElement);
  expect(onLeave).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Use an email address instead' }));
  await user.click(await screen.findByRole('button', { name: 'Continue with SAML SSO' }));
  await user.click(await screen.findByRole('button', { name: 'Fabrikam (Solar North)' }));
  expect(onLeave).toHaveBeenCalledWith(`/api/v1/auth/saml/login/sso?id=${fabrikam.id}`);
});

test('a browser that another site led here is asked before it goes on to the provider', async () => {
  const { workgroup: _, ...contoso } = provider('Contoso');
  const asked = fakeNetwork(() => ({ body: contoso }));
  const onLeave = vi.fn();
  const { id } = contoso;
  const card = (
    <LoginCard
      wizard={MfaWizard}
      email=""
      startsWith="saml"
      providerId={id}
      onSignedIn={() => {}}
      onLeave={onLeave}
    />
  );
  await showScreen(card);
  const user = userEvent.setup();
  const button = await screen.findByRole('button', { name: 'Continue with Contoso' });
  expect(onLeave).not.toHaveBeenCalled();
  expect(asked.filter(({ path }) => path === '/api/v1/auth/saml/login/sso')).toEqual([]);
  await user.click(button);
  await vi.waitFor(() => expect(onLeave).toHaveBeenCalledWith(`/api/v1/auth/saml/login/sso?id=${id}`));
  expect(asked.at(-1)).toMatchObject({ path: '/api/v1/auth/saml/login/sso', body: { id } });
});

test('a provider that is gone leaves the address to enter', async () => {
  fakeNetwork(() => ({ status: 404, body: { code: 404, message: 'SAML SSO not found' } }));
  const card = (
    <LoginCard wizard={MfaWizard} email="" startsWith="saml" providerId="gone" onSignedIn={() => {}} />
  );
  await showScreen(card);
  expect(await screen.findByText('SAML SSO not found')).toBe(screen.getByRole('alert'));
  await userEvent.setup().click(screen.getByRole('button', { name: 'Use an email address instead' }));
  expect(await screen.findByLabelText('Email')).toBe(document.activeElement);
});

test.each([
  [404, 'SAML SSO not found', 'SAML SSO not found'],
  [500, 'The lookup is closed today', 'The lookup is closed today'],
  [429, 'x', 'Too many requests.. Please try again later'],
])('a provider that is not found says so: status %i', async (status, message, text) => {
  fakeNetwork(() => ({ status, body: { code: status, message } }));
  const onLeave = vi.fn();
  await showScreen(
    <LoginCard
      wizard={MfaWizard}
      email="zoe@example.org"
      startsWith="saml"
      onSignedIn={() => {}}
      onLeave={onLeave}
    />,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Continue with SAML SSO' }));
  expect(await screen.findByText(text)).toBe(screen.getByRole('alert'));
  expect(onLeave).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Back to login' }));
  expect(await screen.findByLabelText('Password')).toBeTruthy();
});

test('what was typed before the app was there is signed in with at once, and stays in the fields when it is refused', async () => {
  const asked = fakeNetwork(() => ({ status: 401, body: { code: 401, message: 'x' } }));
  const typed = { email: 'zoe@example.org', password: 'secret', field: null, wish: 'send' } as const;
  await showScreen(<LoginCard wizard={MfaWizard} email={typed.email} typed={typed} onSignedIn={() => {}} />);
  expect(await screen.findByText('Invalid username and/or password')).toBeTruthy();
  const sent = asked.filter(({ path }) => path === '/api/v1/auth/local');
  expect(sent.map(({ body }) => body)).toEqual([{ email: 'zoe@example.org', password: 'secret' }]);
  expect(screen.getByLabelText<HTMLInputElement>(/^Password/).value).toBe('secret');
  // Back from another step it is not sent again.
  await userEvent.click(screen.getByRole('button', { name: 'Forgot password' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Back to login' }));
  expect(screen.getByLabelText<HTMLInputElement>(/^Password/).value).toBe('');
  expect(asked.filter(({ path }) => path === '/api/v1/auth/local')).toHaveLength(1);
});
