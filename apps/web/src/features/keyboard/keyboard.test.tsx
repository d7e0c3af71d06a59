import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { keepEarlyKeys } from '../../app/early-keys.ts';
import type { Command } from '../../app/feature.ts';
import { openInside, provideFeatures } from '../../app/inside.ts';
import { setKeysOn, showShortcuts } from '../../app/shortcuts.ts';
import { showScreen } from '../../app/test-screen.tsx';
import { Keyboard } from './keyboard.tsx';
import { useListCommands } from './use-list-commands.ts';

const go = vi.fn();
const commands: readonly Command[] = [
  { id: 'go', title: 'Devices', group: 'go', keys: 'g d', run: () => go() },
];
provideFeatures(async () => [
  {
    parts: {
      commands: [
        { at: 10, useCommands: () => commands },
        { at: 20, useCommands: useListCommands },
      ],
    },
  },
]);
await openInside();

beforeEach(() => {
  go.mockReset();
  act(() => {
    setKeysOn(true);
    showShortcuts(false);
  });
});

const show = () =>
  showScreen(
    <>
      <input aria-label="Name" />
      <Keyboard />
    </>,
  );

test('keys that a feature announced do what it says, but not while somebody types', async () => {
  await show();
  const user = userEvent.setup();
  await user.keyboard('gd');
  expect(go).toHaveBeenCalledTimes(1);
  await user.click(screen.getByLabelText('Name'));
  await user.keyboard('gd?');
  expect(go).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a question mark lists all keys, and keys can be turned off there', async () => {
  await show();
  const user = userEvent.setup();
  await user.keyboard('?');
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  expect(dialog.textContent).toContain('Devicesgd');
  await user.click(screen.getByRole('switch'));
  act(() => showShortcuts(false));
  await user.keyboard('gd');
  expect(go).not.toHaveBeenCalled();
});

test('keys that were pressed before anything heard them act once it does, and those after them do not', async () => {
  keepEarlyKeys();
  await userEvent.keyboard('gdgd');
  expect(go).not.toHaveBeenCalled();
  await show();
  expect(go).toHaveBeenCalledTimes(1);
});
