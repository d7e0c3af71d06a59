import { useEffect, useRef } from 'react';
import { takeEarlyKeys } from '../../app/early-keys.ts';
import { announced } from '../../app/inside.ts';
import { areKeysOn, showShortcuts, useAreShortcutsShown } from '../../app/shortcuts.ts';
import { KeyReader } from './key-reader.ts';
import { ShortcutList } from './shortcut-list.tsx';

/** Hears the keys of all commands, and shows the list of them. */
export function Keyboard() {
  // biome-ignore lint/correctness/useHookAtTopLevel: they are the same ones each time.
  const commands = announced('commands').flatMap(({ useCommands }) => useCommands());
  const isListShown = useAreShortcutsShown();
  const current = useRef(commands);
  useEffect(() => {
    current.current = commands;
  });
  useEffect(() => {
    const reader = new KeyReader(() => current.current);
    /** Whether a command was run. */
    const handleKey = (event: KeyboardEvent): boolean => {
      if (!areKeysOn() || isTaken(event)) return false;
      const command = reader.read(event.key, Date.now());
      if (command === null) return false;
      event.preventDefault();
      command?.run();
      return command !== undefined;
    };
    // What was typed after that was meant for what it opened.
    takeEarlyKeys().some(handleKey);
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
  }, []);
  return isListShown ? <ShortcutList commands={commands} onClose={() => showShortcuts(false)} /> : null;
}

/** The key belongs to a field, a menu, a dialog, or to whatever acted on it already. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
    return true;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('input, textarea, select, [contenteditable]:not([contenteditable=false]), [role=menu]'))
    return true;
  const opened = document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]');
  // The list of a field stays in the page while it is closed.
  return [...opened].some((one) => one.checkVisibility?.() ?? true);
}
