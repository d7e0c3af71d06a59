import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { getSession } from '../../app/session.ts';
import { buildToken, fakeNetwork, showScreen } from '../../app/test-screen.tsx';
import { LoginCard } from './login-card.tsx';

beforeEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=one';
});

async function submit(password: string, onSignedIn = () => {}) {
  await showScreen(<LoginCard email="" onSignedIn={onSignedIn} />);
  const user = userEvent.setup();
  expect(document.activeElement).toBe(screen.getByLabelText('E-mail'));
  await user.type(screen.getByLabelText('E-mail'), 'owner@example.org');
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

test.each([
  [400, 'Invalid login: Try continuing with SAML SSO'],
  [401, 'Invalid username and/or password'],
  [429, 'Too many requests.. Please try again later'],
])('status %i says: %s', async (status, text) => {
  fakeNetwork(() => ({ status, body: { code: status, message: 'something else' } }));
  await submit('wrong');
  expect(await screen.findByText(text)).toBe(screen.getByRole('alert'));
});

test('after a refusal the password is selected, so that typing replaces it', async () => {
  fakeNetwork(() => ({ status: 401, body: { code: 401, message: 'Unauthorized' } }));
  const user = await submit('wrong');
  await screen.findByText('Invalid username and/or password');
  await user.keyboard('right');
  expect((screen.getByLabelText('Password') as HTMLInputElement).value).toBe('right');
});

test('an answer without a token is told', async () => {
  fakeNetwork(() => ({ body: {} }));
  await submit('right');
  expect(await screen.findByText('response token failed')).toBeTruthy();
});

test('the password can be shown and hidden', async () => {
  await showScreen(<LoginCard email="a@b.cd" onSignedIn={() => {}} />);
  const password = screen.getByLabelText('Password');
  await userEvent.click(screen.getByRole('button', { name: 'Show or hide the password' }));
  expect(password.getAttribute('type')).toBe('text');
  await userEvent.click(screen.getByRole('button', { name: 'Show or hide the password' }));
  expect(password.getAttribute('type')).toBe('password');
});
