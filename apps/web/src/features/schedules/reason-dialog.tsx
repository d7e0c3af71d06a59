import { Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

interface ReasonDialogProps {
  title: string;
  submit: string;
  children?: ReactNode;
  onSubmit: (reason: string) => Promise<void>;
  onClose: () => void;
}

/** Asks why, and does it. */
export function ReasonDialog({ title, submit, children, onSubmit, onClose }: ReasonDialogProps) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const text = reason.trim();
    setFault(text === '' ? t('schedules.noReason') : null);
    if (text === '') return;
    await onSubmit(text);
    onClose();
  });
  return (
    <FormDialog
      title={title}
      submit={submit}
      isWorking={isWorking}
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      {children}
      <Textarea
        data-autofocus
        label={t('schedules.reason')}
        description={t('schedules.reasonHelp')}
        rows={2}
        maxLength={500}
        value={reason}
        error={fault}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
