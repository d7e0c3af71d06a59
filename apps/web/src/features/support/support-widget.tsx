import { SUPPORT_FILES, supportTicket, TICKET_URL_LENGTH } from '@albedo/contract/support/support.schema';
import { Button, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { Failure } from '../../ui/failure.tsx';
import { FileDrop } from '../../ui/file-drop.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import classes from './support.module.css';
import { sendTicket } from './support.queries.ts';

/** Source: specification 1, section 9. */
const RESET_MS = 300;

/** Asks the provider for help. It is gone, with what was written, 300 ms after it was closed. */
export function SupportWidget({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const [isOpen, setOpen] = useState(true);
  const [taskId, setTaskId] = useState<string | null>(null);
  const end = useRef(onClose);
  end.current = onClose;
  useEffect(() => {
    if (isOpen) return;
    const timer = setTimeout(() => end.current(), RESET_MS);
    return () => clearTimeout(timer);
  }, [isOpen]);
  const close = () => setOpen(false);
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      size={560}
      fullScreen={isNarrow}
      title={t('support.title')}
      closeOnClickOutside={taskId !== null}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      {taskId === null ? (
        <SupportForm onSent={setTaskId} onCancel={close} />
      ) : (
        <div className={classes.sent} role="status">
          <IconCircleCheck size={36} stroke={1.5} aria-hidden="true" />
          <strong>{t('support.created')}</strong>
          <span className={classes.ref}>{t('support.ref', { taskId })}</span>
          <p>{t('support.answer')}</p>
          <Button data-autofocus onClick={close}>
            {t('actions.close')}
          </Button>
        </div>
      )}
    </Modal>
  );
}

function SupportForm({ onSent, onCancel }: { onSent: (taskId: string) => void; onCancel: () => void }) {
  const { t } = useTranslation();
  const { user, workgroup } = useSignedIn();
  const [files, setFiles] = useState<File[]>([]);
  const { field, dialog } = useContractForm({
    schema: supportTicket,
    initial: {
      name: user.name,
      email: user.email,
      subject: '',
      body: '',
      url: location.href.slice(0, TICKET_URL_LENGTH),
      workgroupId: workgroup,
    },
    send: async (ticket) => onSent(await sendTicket(ticket, files)),
  });
  const text = (name: 'name' | 'email' | 'subject' | 'body') => ({
    ...field(name),
    label: t(`support.${name}`),
    required: true,
  });

  return (
    <form noValidate onSubmit={dialog.onSubmit}>
      <Stack gap="md">
        <div className={classes.pair}>
          <TextInput {...text('name')} autoComplete="name" />
          <TextInput {...text('email')} type="email" autoComplete="email" />
        </div>
        <TextInput {...text('subject')} data-autofocus maxLength={200} />
        <Textarea {...text('body')} autosize minRows={5} maxRows={12} />
        <FileDrop label={t('support.attach')} limits={SUPPORT_FILES} files={files} onChange={setFiles} />
        <Failure text={dialog.failure} />
        <FormButtons submit={t('support.send')} isWorking={dialog.isWorking} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
