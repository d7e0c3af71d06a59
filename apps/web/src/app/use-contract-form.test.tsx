import { TextInput } from '@mantine/core';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { ApiError } from './call.ts';
import { NameDialog } from './name-dialog.tsx';
import { showScreen } from './test-screen.tsx';
import { useContractForm } from './use-contract-form.ts';

const person = z.object({ name: z.string().trim().min(1), email: z.email('Invalid email') });
const send = vi.fn<(value: z.infer<typeof person>) => Promise<void>>();
const refusal = (path: string) =>
  new ApiError(400, 'Not accepted', 'request.invalid', {}, [
    { path, message: 'Required', issue: 'issue.required', facts: {} },
  ]);

function Form() {
  const { field, dialog } = useContractForm({
    schema: person,
    initial: { name: '', email: '' },
    refusals: { 'account.email_taken': 'email' },
    send: (value) => send(value),
  });
  return (
    <form noValidate onSubmit={dialog.onSubmit}>
      <TextInput {...field('name')} label="Name" />
      <TextInput {...field('email')} label="Email" />
      <p role="alert">{dialog.failure}</p>
      <button type="submit">Send</button>
    </form>
  );
}

beforeEach(() => {
  send.mockReset();
  send.mockResolvedValue();
});

const type = (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text);
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Send' }));
const faultOf = (label: string) => screen.getByLabelText(label).getAttribute('aria-invalid');

test('what the schema finds wrong stands under its field, and nothing is sent', async () => {
  await showScreen(<Form />);
  await type('Name', 'Ann');
  await type('Email', 'ann');
  await submit();
  expect(await screen.findByText('Invalid email')).toBeTruthy();
  expect([faultOf('Name'), faultOf('Email')]).toEqual([null, 'true']);
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Email')));
  expect(send).not.toHaveBeenCalled();
});

test('what is sent is what the schema makes of it, without what was wrong before', async () => {
  await showScreen(<Form />);
  await submit();
  await type('Name', ' Ann ');
  await type('Email', 'ann@example.org');
  await submit();
  expect(send).toHaveBeenCalledWith({ name: 'Ann', email: 'ann@example.org' });
  expect(faultOf('Name')).toBeNull();
});

test('what the server finds wrong with a field stands under it, anything else above the whole form', async () => {
  await showScreen(<Form />);
  await type('Name', 'Ann');
  await type('Email', 'ann@example.org');
  send.mockRejectedValue(refusal('name'));
  await submit();
  expect(await screen.findByText('Required')).toBeTruthy();
  expect([faultOf('Name'), screen.getByRole('alert').textContent]).toEqual(['true', '']);

  send.mockRejectedValue(refusal('elsewhere'));
  await submit();
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Not accepted'));
  expect(faultOf('Name')).toBeNull();
});

test('a refusal that is about a field stands there, until the field has another value', async () => {
  await showScreen(<Form />);
  await type('Name', 'Ann');
  await type('Email', 'ann@example.org');
  send.mockRejectedValue(new ApiError(409, 'Already in use', 'account.email_taken'));
  await submit();
  expect(await screen.findByText('Already in use')).toBeTruthy();
  expect([faultOf('Email'), screen.getByRole('alert').textContent]).toEqual(['true', '']);
  await type('Name', 'a');
  expect(faultOf('Email')).toBe('true');
  await type('Email', 'x');
  expect(screen.queryByText('Already in use')).toBeNull();
});

test('a dialog of a name says under it what the server says of it, and stays open', async () => {
  const onClose = vi.fn();
  const onSave = vi.fn(() => Promise.reject(new ApiError(409, 'That name is taken.')));
  const dialog = { title: 'Rename', label: 'Name', name: 'Roof', schema: z.string().min(1) };
  await showScreen(<NameDialog {...dialog} onSave={onSave} onClose={onClose} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }));
  expect(await screen.findByText('That name is taken.')).toBeTruthy();
  expect(faultOf('Name')).toBe('true');
  onSave.mockImplementation(() => Promise.resolve() as never);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});
