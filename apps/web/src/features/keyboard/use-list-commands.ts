import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Command } from '../../app/feature.ts';
import { showShortcuts } from '../../app/shortcuts.ts';

/** What keys do with the list of a screen, and the list of the keys themselves. */
export function useListCommands(): readonly Command[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'search-list',
        title: t('keyboard.searchList'),
        group: 'list',
        keys: '/',
        isOnlyKeys: true,
        run: focusSearch,
      },
      move('j', t('keyboard.down')),
      move('k', t('keyboard.up')),
      {
        id: 'shortcuts',
        title: t('keyboard.title'),
        group: 'do',
        keys: '?',
        run: () => showShortcuts(true),
      },
    ],
    [t],
  );
}

const move = (key: string, title: string): Command => ({
  id: `list-${key}`,
  title,
  group: 'list',
  keys: key,
  isOnlyKeys: true,
  run: () => pressInList(key),
});

const inMain = <E extends HTMLElement>(selector: string): E | undefined =>
  [...document.querySelectorAll<E>(`#main ${selector}`)].find((one) => one.offsetParent !== null);

function focusSearch(): void {
  const field = inMain<HTMLInputElement>('input[type=search]');
  field?.focus();
  field?.select();
}

/** The list takes the focus, and the key with it; from then on it hears its keys itself, Enter among them. */
function pressInList(key: string): void {
  const grid = inMain('[role=grid][tabindex="0"]');
  grid?.focus({ preventScroll: true });
  grid?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
}
