import { everyItem } from '@albedo/contract/boards/boards.schema';
import { Button, Modal, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { BoardDraft } from '../boards.queries.ts';
import { mergeBoards } from './merge.ts';

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
  const count = (draft: BoardDraft) => everyItem(draft.board.items).length;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('boards.conflict.title')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="sm">
        <Text size="sm">{t('boards.conflict.text', { by })}</Text>
        <Text size="sm" c="dimmed">
          {t('boards.conflict.yours', { name: yours.name, count: count(yours) })}
          <br />
          {t('boards.conflict.theirs', { name: theirs.name, count: count(theirs) })}
        </Text>
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
