import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fireEvent, getByLabelText, getByRole, getByText } from '@testing-library/dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FirstCard } from './first-card.ts';
import type { Handover } from './handover.ts';

const page = readFileSync(join(import.meta.dirname, '../../index.html'), 'utf8');
let element: HTMLElement;
beforeEach(() => {
  document.body.innerHTML = /<body>([\s\S]*)<script/.exec(page)?.[1] ?? '';
  document.title = 'Albedo';
  element = document.getElementById('first') as HTMLElement;
});
afterEach(() => {
  localStorage.clear();
  document.head.querySelector('meta[name="albedo-brand"]')?.remove();
  document.documentElement.removeAttribute('style');
});

function show(email = '') {
  const card = new FirstCard(element);
  const wishes: Handover[] = [];
  const onTouched = vi.fn();
  card.show(email);
  card.follow({ onWish: (wish) => wishes.push(card.state(wish)), onTouched });
  return { card, wishes, onTouched };
}

test('the form can be filled in before the app is there, and hands over what was typed', () => {
  const { wishes, onTouched } = show();
  expect(element.hidden).toBe(false);
  expect(document.activeElement).toBe(getByLabelText(element, 'Email'));
  expect(onTouched).not.toHaveBeenCalled();
  fireEvent.input(getByLabelText(element, 'Email'), { target: { value: 'zoe@example.org' } });
  expect(onTouched).toHaveBeenCalledTimes(1);
  fireEvent.input(getByLabelText(element, 'Password'), { target: { value: 'secret' } });
  fireEvent.submit(getByRole(element, 'button', { name: 'Continue' }).closest('form') as HTMLFormElement);
  expect(wishes).toEqual([{ email: 'zoe@example.org', password: 'secret', field: 'email', wish: 'send' }]);
  expect((getByRole(element, 'button', { name: 'Continue' }) as HTMLButtonElement).disabled).toBe(true);
});

test('the other ways in are handed over, and an app that cannot be loaded leaves the form as it was', () => {
  const { card, wishes } = show('zoe@example.org');
  expect(document.activeElement).toBe(getByLabelText(element, 'Password'));
  fireEvent.click(getByText(element, 'Forgot password'));
  fireEvent.click(getByText(element, 'Continue with SAML SSO'));
  expect(wishes.map(({ wish }) => wish)).toEqual(['forgot', 'saml']);
  card.fail();
  expect(getByRole(element, 'alert').textContent).toContain('could not be loaded');
});

test('the password can be shown and hidden', () => {
  show();
  const password = getByLabelText<HTMLInputElement>(element, 'Password');
  const toggle = getByRole(element, 'button', { name: 'Show or hide the password' });
  fireEvent.click(toggle);
  expect([password.type, toggle.getAttribute('aria-pressed')]).toEqual(['text', 'true']);
  fireEvent.click(toggle);
  expect(password.type).toBe('password');
});

test('it speaks the language that was chosen here, and looks like the host name', () => {
  localStorage.setItem('albedo.language', 'de');
  const meta = document.createElement('meta');
  meta.name = 'albedo-brand';
  meta.content = JSON.stringify({ theme: { primary: '#123456', serviceName: 'Sonne' }, images: {} });
  document.head.append(meta);
  show();
  expect(getByRole(element, 'button', { name: 'Weiter' })).toBeTruthy();
  expect(getByRole(element, 'heading').textContent).toBe('Sonne');
  expect(document.title).toContain('Sonne');
  const { style } = document.documentElement;
  expect(style.getPropertyValue('--first-brand')).toBe('#123456');
  expect(style.getPropertyValue('--first-on-brand')).toBe('#ffffff');
});
