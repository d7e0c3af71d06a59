import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useChangeText } from './change-text.ts';
import { ChangedLines, ChangedVersion, ConflictFrame } from './conflict-frame.tsx';
import { type Content, changedParts, mergeContent } from './merge-content.ts';

interface ConflictDialogProps<T extends object> {
  base: T;
  yours: T;
  theirs: T;
  /** Who saved meanwhile; null where that is not kept. */
  by: string | null;
  onTake: (content: T) => void;
  onTheirs: () => void;
  onClose: () => void;
}

/** Somebody else saved the thing meanwhile: both versions, and what both make together. */
export function ConflictDialog<T extends object>({
  base,
  yours,
  theirs,
  by,
  onTake,
  onTheirs,
  onClose,
}: ConflictDialogProps<T>) {
  const { t } = useTranslation();
  const { merged, both } = useMemo(() => mergeContent(base, yours, theirs), [base, yours, theirs]);
  const who = by ?? t('history.conflict.somebody');
  return (
    <ConflictFrame
      title={t('history.conflict.title')}
      labels={{
        merge: t('history.conflict.merge'),
        yours: t('history.conflict.keepYours'),
        theirs: t('history.conflict.takeTheirs'),
      }}
      text={t('history.conflict.text', { by: who })}
      yours={<Version title={t('history.conflict.yours')} base={base} content={yours} />}
      theirs={<Version title={who} base={base} content={theirs} />}
      both={both.length > 0 ? t('history.conflict.both', { parts: both.join(', ') }) : null}
      onMerge={() => onTake(merged)}
      onYours={() => onTake(yours)}
      onTheirs={onTheirs}
      onClose={onClose}
    />
  );
}

/** What one of the two changed. */
function Version({ title, base, content }: { title: string; base: object; content: object }) {
  const { t } = useTranslation();
  const textOf = useChangeText();
  const [old, now] = [base as Content, content as Content];
  const lines = changedParts(old, now).map((part) =>
    textOf({ type: 'CHANGE', path: [part], old: old[part], now: now[part] }),
  );
  return (
    <ChangedVersion title={title}>
      <ChangedLines lines={lines.length > 0 ? lines : [t('history.conflict.nothing')]} />
    </ChangedVersion>
  );
}
