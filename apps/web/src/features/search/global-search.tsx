import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { areShortcutsShown, showShortcuts } from '../../app/shortcuts.ts';
import classes from './search.module.css';
import { SearchDialog } from './search-dialog.tsx';

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The field in the top bar, and Ctrl-K or Cmd-K anywhere, open the search over everything. */
export function GlobalSearch() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
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
      {isOpen ? <SearchDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}
