import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { SupportWidget } from './support-widget.tsx';

// jsdom loads no fonts, which would make growing fields measure themselves again.
Object.defineProperty(document, 'fonts', { value: new EventTarget() });

beforeEach(() => signInAs());
afterEach(() => {
  vi.useRealTimers();
});

test('what is missing is said at its field, and nothing is sent', async () => {
  const asked = fakeNetwork(() => ({ body: {} }));
  await showScreen(<SupportWidget onClose={() => {}} />);
  fireEvent.change(screen.getByLabelText(/^Email/), { target: { value: '' } });
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  // E-mail, subject and text.
  expect(await screen.findAllByText('Required')).toHaveLength(3);
  fireEvent.change(screen.getByLabelText(/^Email/), { target: { value: 'nobody' } });
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText('Invalid email')).toBeTruthy();
  expect(asked.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('a ticket is sent from a page with a long address too', async () => {
  history.replaceState(null, '', `/devices?series=${'a'.repeat(3000)}`);
  const sent: (string | undefined)[] = [];
  globalThis.fetch = async (input) => {
    const request = input as Request;
    sent.push(`${request.method} ${new URL(request.url).pathname}`);
    // Node goes on reading a form whose answer came before its end.
    await request.text();
    return Response.json({ taskId: 'A-1' });
  };
  await showScreen(<SupportWidget onClose={() => {}} />);
  fireEvent.change(screen.getByLabelText(/^Subject/), { target: { value: 'Help' } });
  fireEvent.change(screen.getByLabelText(/^What can we/), { target: { value: 'Please' } });
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText('Ref #A-1')).toBeTruthy();
  expect(sent).toContain('POST /api/v1/support');
  history.replaceState(null, '', '/');
});

test('what was written is gone 300 ms after it was closed', async () => {
  const onClose = vi.fn();
  await showScreen(<SupportWidget onClose={onClose} />);
  vi.useFakeTimers();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await act(() => vi.advanceTimersByTimeAsync(290));
  expect(onClose).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(20));
  expect(onClose).toHaveBeenCalledOnce();
});
