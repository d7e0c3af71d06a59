import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen } from '../../app/test-screen.tsx';
import { ResetCard } from './reset-card.tsx';

beforeEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=one';
});

const button = () => screen.getByRole('button', { name: 'Reset password' }) as HTMLButtonElement;
function type(password: string, confirmation: string): void {
  for (const [label, value] of [
    ['New password', password],
    ['Confirm password', confirmation],
  ] as const) {
    const field = screen.getByLabelText(label);
    fireEvent.change(field, { target: { value } });
    fireEvent.blur(field);
  }
}

test('the button waits until both fields are filled and equal; a password too short is reported, not sent', async () => {
  const asked = fakeNetwork(() => ({ body: {} }));
  await showScreen(<ResetCard token="t" />);
  expect(button().disabled).toBe(true);
  type('', '');
  expect(screen.getByText('Password is required')).toBeTruthy();
  type('long enough', 'long enouhg');
  expect(button().disabled).toBe(true);
  expect(screen.getByText('Passwords must match')).toBeTruthy();
  type('short', 'short');
  expect(button().disabled).toBe(false);
  fireEvent.click(button());
  expect(screen.getByText('Password must contain at least 8 characters')).toBeTruthy();
  await vi.waitFor(() => expect(button().disabled).toBe(false));
  expect(asked).toEqual([]);
  type('long enough', 'long enough');
  fireEvent.click(button());
  expect(await screen.findByText('Password changed')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Go to login' }).getAttribute('href')).toBe('/login');
});

test('a link that is no longer good comes with tips on such links', async () => {
  fakeNetwork(() => ({ status: 404, body: { code: 404, message: 'Not found' } }));
  await showScreen(<ResetCard token="t" />);
  type('long enough', 'long enough');
  fireEvent.click(button());
  expect(await screen.findByText('Error: could not reset password.')).toBeTruthy();
  for (const tip of [/valid for one hour/, /Only the latest reset email works/, /single-use/])
    expect(screen.getByText(tip)).toBeTruthy();
});

test('people whose password opens no workgroup read so, and are sent to single sign-on', async () => {
  const message = 'None of your workgroups can be opened with a password. Sign in with single sign-on.';
  fakeNetwork(() => ({ status: 400, body: { code: 400, error: 'account.by_provider', message } }));
  await showScreen(<ResetCard token="t" />);
  type('long enough', 'long enough');
  fireEvent.click(button());
  expect(await screen.findByText(message)).toBeTruthy();
  const link = screen.getByRole('link', { name: 'Continue with SAML SSO' });
  expect(link.getAttribute('href')).toBe('/login/sso');
});
