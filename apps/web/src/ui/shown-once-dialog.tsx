import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

interface ShownOnceDialogProps {
  title: string;
  /** The button that closes it, such as `I have saved it`. */
  kept: string;
  size?: 'md' | 'lg';
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with something that is shown only once, such as a secret: only its button closes it. */
export function ShownOnceDialog({ title, kept, size = 'lg', onClose, children }: ShownOnceDialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      size={size}
      title={title}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="sm">{children}</Stack>
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose}>{kept}</Button>
      </Group>
    </Modal>
  );
}
