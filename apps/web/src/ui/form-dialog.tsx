import { Modal, Stack } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from './failure.tsx';
import { FormButtons } from './form-buttons.tsx';
import { useIsNarrow } from './use-is-narrow.ts';

interface FormDialogProps {
  title: string;
  /** What the form does; 'Save' without it. */
  submit?: string;
  /** A form of many fields is wide, and fills the screen of a telephone. */
  size?: 'md' | 'lg' | 'xl';
  isWorking: boolean;
  isDisabled?: boolean;
  /** What went wrong with the form as a whole; null while there is nothing to tell. */
  failure: string | null;
  /** Apart from the other buttons, at the left: what takes the thing away. */
  aside?: ReactNode;
  onSubmit: FormEventHandler;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog: its fields, what went wrong, and the buttons. The browser's own bubbles are not shown. */
export function FormDialog({ size = 'md', failure, onSubmit, onClose, children, ...rest }: FormDialogProps) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const { title, ...buttons } = rest;
  return (
    <Modal
      opened
      size={size}
      fullScreen={isNarrow && size !== 'md'}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form noValidate onSubmit={onSubmit}>
        <Stack gap="md">
          {children}
          <Failure text={failure} />
        </Stack>
        <FormButtons {...buttons} onCancel={onClose} />
      </form>
    </Modal>
  );
}
