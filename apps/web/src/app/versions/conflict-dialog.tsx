import { Button, Modal, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useChangeText } from './change-text.ts';
import { type Content, changedParts, mergeContent } from './merge-content.ts';
import classes from './versions.module.css';

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
    <Modal
      opened
      onClose={onClose}
      title={t('history.conflict.title')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="sm">
        <Text size="sm">{t('history.conflict.text', { by: who })}</Text>
        <Version title={t('history.conflict.yours')} base={base} content={yours} />
        <Version title={who} base={base} content={theirs} />
        {both.length > 0 ? (
          <Text size="sm">{t('history.conflict.both', { parts: both.join(', ') })}</Text>
        ) : null}
        <Button onClick={() => onTake(merged)}>{t('history.conflict.merge')}</Button>
        <Button variant="default" onClick={() => onTake(yours)}>
          {t('history.conflict.keepYours')}
        </Button>
        <Button variant="default" onClick={onTheirs}>
          {t('history.conflict.takeTheirs')}
        </Button>
      </Stack>
    </Modal>
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
    <section>
      <Text size="sm" fw={550} component="h3">
        {title}
      </Text>
      <ul className={classes.changes}>
        {(lines.length > 0 ? lines : [t('history.conflict.nothing')]).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}
