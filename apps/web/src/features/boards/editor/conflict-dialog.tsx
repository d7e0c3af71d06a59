import type { BoardItem } from '@albedo/contract/boards/board-items';
import { Button, Modal, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { BoardDraft } from '../boards.queries.ts';
import classes from './editor.module.css';
import { changesOf, mergeBoards } from './merge.ts';

interface ConflictDialogProps {
  base: BoardDraft;
  yours: BoardDraft;
  theirs: BoardDraft;
  /** Who saved meanwhile. */
  by: string;
  onTake: (draft: BoardDraft) => void;
  onClose: () => void;
}

/** Somebody else saved the board meanwhile: both versions, and what both make together. */
export function ConflictDialog({ base, yours, theirs, by, onTake, onClose }: ConflictDialogProps) {
  const { t } = useTranslation();
  const merged = useMemo(() => mergeBoards(base, yours, theirs), [base, yours, theirs]);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('boards.conflict.title')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="sm">
        <Text size="sm">{t('boards.conflict.text', { by })}</Text>
        <Version title={t('boards.conflict.yours')} base={base} draft={yours} />
        <Version title={t('boards.conflict.theirs', { by })} base={base} draft={theirs} />
        {merged.conflicts.length > 0 ? (
          <Text size="sm">{t('boards.conflict.both', { widgets: merged.conflicts.join(', ') })}</Text>
        ) : null}
        <Button onClick={() => onTake(merged.draft)}>{t('boards.conflict.merge')}</Button>
        <Button variant="default" onClick={() => onTake(yours)}>
          {t('boards.conflict.keepYours')}
        </Button>
        <Button variant="default" onClick={() => onTake(theirs)}>
          {t('boards.conflict.takeTheirs')}
        </Button>
      </Stack>
    </Modal>
  );
}

/** What one of the two changed, a line for each kind of change. */
function Version({ title, base, draft }: { title: string; base: BoardDraft; draft: BoardDraft }) {
  const { t } = useTranslation();
  const { isOfBoard, ...changes } = useMemo(() => changesOf(base, draft), [base, draft]);
  const lines = Object.entries(changes).flatMap(([how, items]: [string, BoardItem[]]) => {
    const widgets = items.map(({ title: name, kind }) => name || t(`boards.widgets.${kind}`)).join(', ');
    return widgets ? [t(`boards.conflict.${how}`, { widgets })] : [];
  });
  if (isOfBoard) lines.push(t('boards.conflict.ofBoard', { name: draft.name }));
  return (
    <section>
      <Text size="sm" fw={550} component="h3">
        {title}
      </Text>
      <ul className={classes.changes}>
        {(lines.length > 0 ? lines : [t('boards.conflict.nothing')]).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}
