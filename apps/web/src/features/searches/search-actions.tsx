import { type NewSearch, newSearch, type SavedSearch } from '@albedo/contract/searches/searches.schema';
import { Button, Menu, Switch, TextInput } from '@mantine/core';
import {
  IconCopy,
  IconDeviceFloppy,
  IconDots,
  IconPencil,
  IconShare,
  IconTrash,
  IconUserCircle,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { confirmText } from '../../app/confirm-text.ts';
import { isComplete } from '../../app/filters/filters.ts';
import { NameDialog } from '../../app/name-dialog.tsx';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { useWork } from '../../app/use-submit.ts';
import { useOpened } from '../../app/versions/use-opened.ts';
import { useSaveOver } from '../../app/versions/use-save-over.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { fromSaved, type SearchDraft, toNewSearch } from './search-draft.ts';
import { newestSearch, removeSearch, saveSearch, shareSearch } from './searches.queries.ts';

interface SearchActionsProps {
  draft: SearchDraft;
  saved: SavedSearch | null;
}

/** Keeps, shares, renames and deletes a search, and copies its link. */
export function SearchActions({ draft, saved }: SearchActionsProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'save' | 'rename' | 'remove' | null>(null);
  const { isWorking, work } = useWork((error) => notifyFailure(t('searches.saveFailed'), error));
  const close = () => setOpen(null);
  const canSave = draft.table !== null && draft.filters.every(isComplete);
  const isOwn = saved?.shareable === true;

  const { opened, reopen } = useOpened(saved);
  /** What is kept is what is looked for then; the address need not say it. */
  const show = async (one: SavedSearch) => {
    reopen(one);
    await navigate({ to: '.', replace: true, search: { tab: draft.tab } as never });
  };
  const over = useSaveOver<NewSearch, Pick<SavedSearch, 'version'> & Partial<SavedSearch>>({
    opened: opened ?? { version: 0 },
    contentOf: (one) => toNewSearch(fromSaved(one as SavedSearch), one.name ?? ''),
    send: (content, version) => saveSearch(wg, saved && { id: saved._id, version }, content),
    newest: () => newestSearch(wg, saved?._id ?? ''),
    onTheirs: (one) => void show(one as SavedSearch),
  });
  const saveAs = async (name: string) => {
    const kept = await over.save(toNewSearch(draft, name));
    if (kept) await show(kept as SavedSearch);
    return kept !== null;
  };
  const save = (one: SavedSearch) =>
    work(async () => {
      if (await saveAs(one.name)) notifyDone(t('searches.saved', { name: one.name }));
    });
  const share = (one: SavedSearch, isShared: boolean) =>
    work(async () => {
      await shareSearch(wg, one._id, isShared);
      notifyDone(t(isShared ? 'searches.nowShared' : 'searches.nowPersonal', { name: one.name }));
    });
  const copyLink = () =>
    work(async () => {
      await navigator.clipboard.writeText(window.location.href);
      notifyDone(t('searches.linkCopied'));
    });

  return (
    <>
      {over.dialog}
      <Button
        leftSection={<IconDeviceFloppy size={16} />}
        disabled={!canSave}
        loading={isWorking}
        onClick={() => (isOwn ? void save(saved) : setOpen('save'))}
      >
        {t('actions.save')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" px={10} aria-label={t('searches.more')}>
            <IconDots size={18} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => void copyLink()}>
            {t('searches.copyLink')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconDeviceFloppy size={16} />}
            disabled={!canSave}
            onClick={() => setOpen('save')}
          >
            {t('searches.saveAs')}
          </Menu.Item>
          {isOwn ? (
            <>
              <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setOpen('rename')}>
                {t('searches.rename')}
              </Menu.Item>
              {saved.orgRef ? (
                <Menu.Item
                  leftSection={<IconUserCircle size={16} />}
                  onClick={() => void share(saved, false)}
                >
                  {t('searches.unshare')}
                </Menu.Item>
              ) : (
                <Menu.Item leftSection={<IconShare size={16} />} onClick={() => void share(saved, true)}>
                  {t('searches.share')}
                </Menu.Item>
              )}
              <Menu.Item
                leftSection={<IconTrash size={16} />}
                color="var(--al-danger)"
                onClick={() => setOpen('remove')}
              >
                {t('searches.remove')}
              </Menu.Item>
            </>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {open === 'save' ? <SaveDialog draft={draft} onClose={close} /> : null}
      {open === 'rename' && saved ? (
        <NameDialog
          title={t('searches.rename')}
          label={t('searches.name')}
          name={saved.name}
          schema={newSearch.shape.name}
          mustChange
          onSave={async (name) => {
            await saveAs(name);
          }}
          onClose={close}
        />
      ) : null}
      {open === 'remove' && saved ? (
        <ConfirmDialog
          confirm={confirmText(t('searches.remove'), saved.name)}
          onConfirm={async () => {
            await removeSearch(wg, saved._id);
            await navigate({ to: '/search' });
            notifyDone(t('searches.removed', { name: saved.name }));
          }}
          onClose={close}
        >
          {t('searches.removeText', { name: saved.name })}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

const saving = z.object({ name: newSearch.shape.name, isShared: z.boolean() });

/** Keeps what is looked for under a name, for oneself or for all. */
function SaveDialog({ draft, onClose }: { draft: SearchDraft; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const navigate = useNavigate();
  const { values, field, set, dialog } = useContractForm({
    schema: saving,
    initial: { name: '', isShared: false },
    send: async ({ name, isShared }) => {
      const { _id } = await saveSearch(wg, null, toNewSearch(draft, name));
      if (isShared) await shareSearch(wg, _id, true);
      onClose();
      await navigate({
        to: '/search/$searchId',
        params: { searchId: _id },
        search: { tab: draft.tab } as never,
      });
      notifyDone(t('searches.saved', { name }));
    },
  });
  return (
    <FormDialog {...dialog} title={t('searches.saveTitle')} onClose={onClose}>
      <TextInput {...field('name')} data-autofocus label={t('searches.name')} maxLength={120} />
      <Switch
        label={t('searches.shareWithAll')}
        checked={values.isShared}
        onChange={(event) => set({ isShared: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}
