import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ChangedVersion, ConflictFrame } from '../../app/versions/conflict-frame.tsx';
import { mergeContent } from '../../app/versions/merge-content.ts';
import { ChangeList } from '../../app/versions/versions-dialog.tsx';
import { changesOf } from './merge.ts';

interface ConflictDialogProps<T extends object> {
  base: T;
  yours: T;
  theirs: T;
  onTake: (value: T) => void;
  onClose: () => void;
}

/** Somebody else saved the configuration meanwhile: both versions, and what both make together. */
export function ConflictDialog<T extends object>({
  base,
  yours,
  theirs,
  onTake,
  onClose,
}: ConflictDialogProps<T>) {
  const { t } = useTranslation();
  return (
    <ConflictFrame
      title={t('energyConfig.conflict.title')}
      labels={{
        merge: t('energyConfig.conflict.merge'),
        yours: t('energyConfig.conflict.keepYours'),
        theirs: t('energyConfig.conflict.takeTheirs'),
      }}
      text={t('energyConfig.conflict.text')}
      yours={<Version title={t('energyConfig.conflict.yours')} base={base} value={yours} />}
      theirs={<Version title={t('energyConfig.conflict.theirs')} base={base} value={theirs} />}
      both={null}
      onMerge={() => onTake(mergeContent(base, yours, theirs).merged)}
      onYours={() => onTake(yours)}
      onTheirs={() => onTake(theirs)}
      onClose={onClose}
    />
  );
}

/** Changes that have room in the dialog. */
const MOST = 12;

function Version<T>({ title, base, value }: { title: string; base: T; value: T }) {
  const changes = useMemo(() => changesOf(base, value), [base, value]);
  return (
    <ChangedVersion title={title}>
      <ChangeList changes={changes.slice(0, MOST)} count={changes.length} />
    </ChangedVersion>
  );
}
