import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { createPortal } from 'react-dom';
import { expect, test, vi } from 'vitest';
import { ApiError } from './call.ts';
import { showScreen } from './test-screen.tsx';
import { useAttempt, useSubmit } from './use-submit.ts';

interface FormProps {
  task: () => Promise<void>;
  label?: string;
  children?: ReactNode;
}

function Form({ task, label = 'Save', children }: FormProps) {
  const { isWorking, failure, fault, handleSubmit } = useSubmit(task);
  return (
    <form onSubmit={handleSubmit}>
      <input aria-label={`Note of ${label}`} />
      <input aria-label={`Name of ${label}`} aria-invalid={fault !== null} />
      <p role="alert">{failure}</p>
      <button type="submit" disabled={isWorking}>
        {label}
      </button>
      {children}
    </form>
  );
}

function Attempt({ wordsFor }: { wordsFor: () => null }) {
  const [isTried, setTried] = useState(false);
  const { failure, attempt } = useAttempt(wordsFor);
  async function handleClick() {
    await attempt(() => Promise.reject(new Error('gone')));
    setTried(true);
  }
  return (
    <button type="button" onClick={() => void handleClick()}>
      {isTried ? `told: ${failure}` : 'Try'}
    </button>
  );
}

test('a failure is shown, the wrong field gets the focus, and the next attempt begins without it', async () => {
  let answer = Promise.withResolvers<void>();
  await showScreen(<Form task={() => answer.promise} />);
  await userEvent.click(screen.getByText('Save'));
  expect(screen.getByText('Save')).toHaveProperty('disabled', true);
  answer.reject(new Error('That name is taken.'));
  await screen.findByText('That name is taken.');
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Name of Save')));
  answer = Promise.withResolvers<void>();
  await userEvent.click(screen.getByText('Save'));
  expect(screen.getByRole('alert').textContent).toBe('');
  answer.resolve();
  await vi.waitFor(() => expect(screen.getByText('Save')).toHaveProperty('disabled', false));
});

test.each([-1, 401, 429, 503])('an answer of %i blames no field', async (code) => {
  const sentence = 'The server cannot be reached.';
  await showScreen(<Form task={() => Promise.reject(new ApiError(code, sentence))} />);
  await userEvent.click(screen.getByText('Save'));
  await screen.findByText(sentence);
  expect(screen.getByLabelText('Name of Save').getAttribute('aria-invalid')).toBe('false');
});

test('what is submitted in a dialog that a form opened does not submit the form', async () => {
  const outer = vi.fn(async () => {});
  const inner = vi.fn(async () => {});
  const dialog = createPortal(<Form task={inner} label="Reject" />, document.body);
  await showScreen(
    <Form task={outer} label="Accept">
      {dialog}
    </Form>,
  );
  await userEvent.click(screen.getByText('Reject'));
  expect(inner).toHaveBeenCalledOnce();
  expect(outer).not.toHaveBeenCalled();
});

test('a failure that does not concern the form is not shown there', async () => {
  const wordsFor = vi.fn(() => null);
  await showScreen(<Attempt wordsFor={wordsFor} />);
  await userEvent.click(screen.getByText('Try'));
  expect(await screen.findByText('told: null')).toBeTruthy();
  expect(wordsFor).toHaveBeenCalledOnce();
});
