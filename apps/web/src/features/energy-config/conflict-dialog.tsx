import { Button, Modal, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ChangeList } from '../../app/versions/versions-dialog.tsx';
import { changesOf, merged } from './merge.ts';

interface ConflictDialogProps<T> {
  base: T;
  yours: T;
  theirs: T;
  onTake: (value: T) => void;
  onClose: () => void;
}

/** Somebody else saved the configuration meanwhile: both versions, and what both make together. */
export function ConflictDialog<T>({ base, yours, theirs, onTake, onClose }: ConflictDialogProps<T>) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('energyConfig.conflict.title')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="sm">
        <Text size="sm">{t('energyConfig.conflict.text')}</Text>
        <Version title={t('energyConfig.conflict.yours')} base={base} value={yours} />
        <Version title={t('energyConfig.conflict.theirs')} base={base} value={theirs} />
        <Button onClick={() => onTake(merged(base, yours, theirs))}>
          {t('energyConfig.conflict.merge')}
        </Button>
        <Button variant="default" onClick={() => onTake(yours)}>
          {t('energyConfig.conflict.keepYours')}
        </Button>
        <Button variant="default" onClick={() => onTake(theirs)}>
          {t('energyConfig.conflict.takeTheirs')}
        </Button>
      </Stack>
    </Modal>
  );
}

/** Changes that have room in the dialog. */
const MOST = 12;

function Version<T>({ title, base, value }: { title: string; base: T; value: T }) {
  const changes = useMemo(() => changesOf(base, value), [base, value]);
  return (
    <section>
      <Text size="sm" fw={550} component="h3">
        {title}
      </Text>
      <ChangeList changes={changes.slice(0, MOST)} count={changes.length} />
    </section>
  );
}
