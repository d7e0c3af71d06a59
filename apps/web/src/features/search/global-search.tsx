import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadAllTexts } from '../../app/i18n.ts';
import { whenShown } from '../../app/in-pieces.ts';
import { areShortcutsShown, showShortcuts } from '../../app/shortcuts.ts';
import { loadAhead } from '../../ui/load-ahead.ts';
import classes from './search.module.css';

const loadDialog = async () => (await Promise.all([import('./search-dialog.tsx'), loadAllTexts()]))[0];

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The field in the top bar, and Ctrl-K or Cmd-K anywhere, open the search over everything. */
export function GlobalSearch() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [dialog, setDialog] = useState<Awaited<ReturnType<typeof loadDialog>> | null>(null);
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  const [typed, setTyped] = useState('');
  useEffect(() => whenShown(() => void loadAhead(loadDialog).then(setDialog, () => {})), []);
  useEffect(() => {
    if (!isOpen) return setTyped('');
    if (dialog) return;
    loadDialog().then(setDialog, (error: unknown) => setFailure({ error }));
    // Whoever knows the keys types on at once.
    const keepKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape') setOpen(false);
      else if (event.key === 'Backspace') setTyped((before) => before.slice(0, -1));
      else if (event.key.length === 1) setTyped((before) => before + event.key);
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', keepKey);
    return () => window.removeEventListener('keydown', keepKey);
  }, [isOpen, dialog]);
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
  // As for all code that is loaded on demand, the nearest error state shows the failure.
  if (failure) throw failure.error;
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
      {isOpen && dialog ? <dialog.SearchDialog typed={typed} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
