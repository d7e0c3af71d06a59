import { CloseButton, Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../../app/session.ts';
import { recentItems, rememberItem } from './recent-items.ts';
import classes from './search.module.css';
import { type SearchItem, searchItems } from './search-items.ts';
import { SearchResults } from './search-results.tsx';
import { searchCategories, sourceOf, useSearchIndex } from './use-search-items.ts';

/** How long typing rests before it is searched. Source: specification 1, section 9. */
const DEBOUNCE_MS = 200;
/** Actions that are offered before anything is typed. */
const SUGGESTED = 6;

interface SearchDialogProps {
  /** What was typed before it was there. */
  typed?: string;
  onClose: () => void;
}

/**
 * Finds devices and pages, and does what can be done from anywhere. Up and Down choose a result and Enter opens it without leaving the field; Tab reaches the
 * chips and the copy buttons.
 */
export function SearchDialog({ typed = '', onClose }: SearchDialogProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const listId = useId();
  const { user, workgroup } = useSignedIn();
  const { index, error } = useSearchIndex();
  const [text, setText] = useState(typed);
  const [searched] = useDebouncedValue(text, DEBOUNCE_MS);
  const [categories, setCategories] = useState<string[]>([]);
  const [active, setActive] = useState(0);
  const isSearching = text.trim() !== '' && searched.trim() !== '';
  const recent = useMemo(() => {
    const known = new Map(index.items.map((item) => [`${item.category} ${item.id}`, item]));
    return recentItems(user._id, workgroup).flatMap(
      ({ category, id }) => known.get(`${category} ${id}`) ?? [],
    );
  }, [index, user._id, workgroup]);
  const results = useMemo(() => searchItems(index, searched, categories), [index, searched, categories]);
  const suggested = useMemo(() => {
    const isRecent = (item: SearchItem) => recent.includes(item);
    const actions = index.items.filter((item) => item.category === 'actions' && !isRecent(item));
    return [...recent, ...actions.slice(0, SUGGESTED)];
  }, [index, recent]);
  const shown = isSearching ? results : suggested;
  const chosen = Math.min(active, shown.length - 1);

  function handleOpen(item: SearchItem): void {
    rememberItem(user._id, workgroup, item);
    onClose();
    if (item.run) item.run();
    else void navigate({ to: sourceOf(item.category)?.addressOf(item.id) ?? item.id });
  }
  function handleKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      // Else the key would press what gets the focus when the dialog is gone.
      event.preventDefault();
      // Before the typing rested, what is shown belongs to another text.
      const isSettled = searched === text || text.trim() === '';
      const item = isSettled ? shown[chosen] : searchItems(index, text, categories)[0];
      if (item) handleOpen(item);
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    if (shown.length > 0) setActive((chosen + step + shown.length) % shown.length);
  }
  function toggle(category: string) {
    setActive(0);
    setCategories((old) =>
      old.includes(category) ? old.filter((one) => one !== category) : [...old, category],
    );
  }

  return (
    <Modal
      opened
      onClose={onClose}
      centered={false}
      yOffset="10dvh"
      size={600}
      padding={0}
      withCloseButton={false}
      attributes={{ content: { 'aria-label': t('search.title') } }}
      transitionProps={{ duration: 100 }}
    >
      <div className={classes.field}>
        <IconSearch size={19} aria-hidden="true" />
        <input
          data-autofocus
          className={classes.input}
          role="combobox"
          aria-label={t('search.field')}
          aria-expanded="true"
          aria-haspopup="grid"
          aria-controls={listId}
          aria-autocomplete="list"
          {...(chosen >= 0 ? { 'aria-activedescendant': `${listId}-${chosen}` } : {})}
          placeholder={t('search.field')}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={handleKeyDown}
        />
        <CloseButton aria-label={t('actions.close')} onClick={onClose} />
      </div>
      <fieldset className={classes.chips} aria-label={t('search.categories')}>
        {searchCategories().map((category) => (
          <button
            key={category}
            type="button"
            className={classes.chip}
            aria-pressed={categories.includes(category)}
            onClick={() => toggle(category)}
          >
            {t(`search.${category}`)}
          </button>
        ))}
      </fieldset>
      {error ? <p className={classes.notice}>{t('search.failed')}</p> : null}
      {!isSearching && recent.length > 0 ? <p className={classes.heading}>{t('search.recent')}</p> : null}
      <SearchResults id={listId} items={shown} active={chosen} onActivate={setActive} onOpen={handleOpen} />
      <p role="status" className={classes.notice} hidden={shown.length > 0}>
        {isSearching ? t('search.nothing') : t('search.start')}
      </p>
    </Modal>
  );
}
