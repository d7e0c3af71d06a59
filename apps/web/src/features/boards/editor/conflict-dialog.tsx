import type { BoardItem } from '@albedo/contract/boards/board-items';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ChangedLines, ChangedVersion, ConflictFrame } from '../../../app/versions/conflict-frame.tsx';
import type { BoardDraft } from '../boards.queries.ts';
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
    <ConflictFrame
      title={t('boards.conflict.title')}
      labels={{
        merge: t('boards.conflict.merge'),
        yours: t('boards.conflict.keepYours'),
        theirs: t('boards.conflict.takeTheirs'),
      }}
      text={t('boards.conflict.text', { by })}
      yours={<Version title={t('boards.conflict.yours')} base={base} draft={yours} />}
      theirs={<Version title={t('boards.conflict.theirs', { by })} base={base} draft={theirs} />}
      both={
        merged.conflicts.length > 0
          ? t('boards.conflict.both', { widgets: merged.conflicts.join(', ') })
          : null
      }
      onMerge={() => onTake(merged.draft)}
      onYours={() => onTake(yours)}
      onTheirs={() => onTake(theirs)}
      onClose={onClose}
    />
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
    <ChangedVersion title={title}>
      <ChangedLines lines={lines.length > 0 ? lines : [t('boards.conflict.nothing')]} />
    </ChangedVersion>
  );
}
