import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { InviteDialog } from './invite-dialog.tsx';

const field = () => screen.getByLabelText<HTMLInputElement>('Email');
const enter = (value: string) => fireEvent.change(field(), { target: { value } });
const send = () => userEvent.click(screen.getByRole('button', { name: 'Send invite' }));
const isPost = ({ method }: { method: string }) => method === 'POST';

async function show(answer: (email: string) => { status?: number; body?: unknown }) {
  signInAs();
  const onClose = vi.fn();
  const asked = fakeNetwork(({ method, body }) =>
    method === 'POST' ? answer((body as { email: string }).email) : { body: [] },
  );
  await showScreen(<InviteDialog onClose={onClose} />);
  return { onClose, sent: () => asked.filter(isPost).map(({ body }) => body) };
}

test('of several addresses the field names the one that is wrong, and none is sent', async () => {
  const { sent } = await show(() => ({}));
  enter('ann@example.org, bob');
  await send();
  expect(await screen.findByText('bob: Invalid email')).toBeTruthy();
  expect(sent()).toEqual([]);
});

test.each([
  ['<html><h1>502 Bad Gateway</h1></html>', 502],
  ['', 500],
  ['', 403],
])('a failure in which the server says nothing (%j, %i) is called an unknown error', async (text, status) => {
  signInAs();
  globalThis.fetch = async (request) =>
    (request as Request).method === 'POST' ? new Response(text, { status }) : Response.json([]);
  await showScreen(<InviteDialog onClose={() => {}} />);
  enter('ann@example.org');
  await send();
  expect(await screen.findByText('An unknown error occurred.')).toBeTruthy();
});

test('an address that the server refuses stays in the field with its reason, those before it are invited', async () => {
  const message = 'bob@example.org is already a member of this workgroup.';
  const { sent, onClose } = await show((email) =>
    email.startsWith('bob')
      ? { status: 409, body: { code: 409, error: 'invite.member_already', message } }
      : {},
  );
  enter('ann@example.org; bob@example.org');
  await send();
  expect(await screen.findByText(message)).toBeTruthy();
  expect([field().value, field().getAttribute('aria-invalid')]).toEqual(['bob@example.org', 'true']);
  expect(sent()[0]).toMatchObject({
    email: 'ann@example.org',
    role: 'readonly',
    expiresInDays: 7,
    devGroup: null,
  });
  expect(onClose).not.toHaveBeenCalled();
});
