import { Menu, Modal } from '@mantine/core';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepFocus } from './keep-focus.ts';
import { showScreen } from './test-screen.tsx';

let stop = () => {};
beforeEach(() => {
  stop = keepFocus();
});
afterEach(() => stop());

function Openers() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Invite
      </button>
      <Menu>
        <Menu.Target>
          <button type="button">Actions</button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen(true)}>Change</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isOpen ? (
        <Modal opened onClose={() => setOpen(false)} title="A dialog">
          <button type="button" data-autofocus>
            Inside
          </button>
        </Modal>
      ) : null}
    </>
  );
}

const named = (name: string) => screen.getByRole('button', { name });

test('what opened a dialog has the focus again when the dialog is closed', async () => {
  await showScreen(<Openers />);
  await userEvent.click(named('Invite'));
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Inside'));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(named('Invite')));
});

test('after a dialog that an entry of a menu opened, the button of the menu has it', async () => {
  await showScreen(<Openers />);
  named('Actions').focus();
  await userEvent.keyboard('{Enter}');
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Change' }));
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Inside'));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(named('Actions')));
});

test('a dialog that another one opened, which closed before it, gives the focus to what opened that one', async () => {
  await showScreen(<Openers />);
  const openDialog = (what: 'button' | 'input') => {
    const dialog = document.createElement('div');
    dialog.setAttribute('role', 'dialog');
    const inside = document.createElement(what);
    dialog.append(inside);
    document.body.append(dialog);
    inside.focus();
    return dialog;
  };
  named('Invite').focus();
  const first = openDialog('button');
  const second = openDialog('input');
  first.remove();
  await waitFor(() => expect(document.activeElement?.tagName).toBe('INPUT'));
  second.remove();
  await waitFor(() => expect(document.activeElement).toBe(named('Invite')));
});
