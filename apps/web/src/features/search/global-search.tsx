import { IconSearch } from '@tabler/icons-react';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { whenShown } from '../../app/in-pieces.ts';
import { later } from '../../app/later.ts';
import { areShortcutsShown, showShortcuts } from '../../app/shortcuts.ts';
import { loadAhead } from '../../ui/load-ahead.ts';
import classes from './search.module.css';

const loadDialog = async () => (await import('./search-dialog.tsx')).SearchDialog;
const SearchDialog = later(loadDialog);

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The field in the top bar, and Ctrl-K or Cmd-K anywhere, open the search over everything. */
export function GlobalSearch() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  // Whoever knows the keys types on at once.
  useEffect(() => whenShown(() => void loadAhead(loadDialog).catch(() => {})), []);
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      // One dialog at a time: Escape would close both, and with the other one what was typed in it.
      const isListOpen = areShortcutsShown();
      if (isListOpen) showShortcuts(false);
      const isTaken = !isListOpen && document.querySelector('[role=dialog][aria-modal=true]') !== null;
      setOpen((isOpen) => !isOpen && !isTaken);
    };
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
  }, []);
  return (
    <>
      <button
        type="button"
        className={classes.opener}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <IconSearch size={17} aria-hidden="true" />
        <span className={classes.openerText}>{t('search.open')}</span>
        <span className={classes.keys} aria-hidden="true">
          {isApple ? '⌘ K' : 'Ctrl K'}
        </span>
      </button>
      <Suspense>{isOpen ? <SearchDialog onClose={() => setOpen(false)} /> : null}</Suspense>
    </>
  );
}
