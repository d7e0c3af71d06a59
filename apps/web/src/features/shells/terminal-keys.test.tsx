import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { showScreen } from '../../app/test-screen.tsx';
import { arrowFor, listenForText, TerminalKeys } from './terminal-keys.tsx';

test('keys that a phone lacks are sent as a terminal sends them', async () => {
  const sent: string[] = [];
  showScreen(<TerminalKeys onKey={(text) => sent.push(text)} />);
  for (const name of ['Ctrl C', 'Tab', 'Up'])
    await userEvent.click(await screen.findByRole('button', { name }));
  expect(sent).toEqual(['\x03', '\t', '\x1b[A']);
  expect(arrowFor('\x1b[A', true)).toBe('\x1bOA');
  expect(arrowFor('\x03', true)).toBe('\x03');
});

test('text that comes without a key reaches the shell once, and what keys write is left to the terminal', () => {
  const area = document.createElement('textarea');
  const heard: string[] = [];
  const end = listenForText(area, (text) => heard.push(text));
  const insert = (data: string, isComposing = false) =>
    fireEvent(area, new InputEvent('input', { data, inputType: 'insertText', isComposing }));
  insert('systemctl ');
  fireEvent.keyDown(area, { key: 'x' });
  insert('x');
  fireEvent.keyUp(area, { key: 'x' });
  insert('ä', true);
  insert('✓');
  end();
  insert('late');
  expect(heard).toEqual(['systemctl ', '✓']);
});
