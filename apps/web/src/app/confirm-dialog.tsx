import { Button, Group, Modal, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../ui/failure.tsx';
import { useSubmit } from './use-submit.ts';

export interface ConfirmDialogProps {
  /** 'Are you sure?' without it. */
  children?: ReactNode;
  /** What the button does, as `confirmText` says it; 'Yes, I'm sure' without it. */
  confirm?: string | undefined;
  /** It takes nothing away, so its button does not warn. */
  isHarmless?: boolean;
  /** What has to be typed, exactly, before confirming is possible. */
  phrase?: string;
  /** Does it; the dialog stays open and says so when it fails. */
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Asks before something that cannot be undone. Texts of the specification, document 1, section 2. */
export function ConfirmDialog({
  children,
  confirm,
  isHarmless = false,
  phrase,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    await onConfirm();
    onClose();
  });

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('confirm.title')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form onSubmit={handleSubmit}>
        <div>{children ?? t('confirm.body')}</div>
        {phrase === undefined ? null : (
          <TextInput
            data-autofocus
            mt="md"
            label={t('confirm.phrase', { phrase })}
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <Failure text={failure} />
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('actions.cancel')}
          </Button>
          <Button
            type="submit"
            {...(isHarmless ? {} : { color: 'red.8' })}
            loading={isWorking}
            disabled={phrase !== undefined && typed !== phrase}
          >
            {confirm ?? t('confirm.yes')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
