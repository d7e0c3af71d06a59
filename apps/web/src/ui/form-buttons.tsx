import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface FormButtonsProps {
  /** What the form does; 'Save' without it. */
  submit?: string;
  isWorking: boolean;
  isDisabled?: boolean;
  onCancel: () => void;
  /** Apart from the others, at the left: what takes the thing away. */
  aside?: ReactNode;
}

/** How a form in a dialog ends. */
export function FormButtons({ submit, isWorking, isDisabled = false, onCancel, aside }: FormButtonsProps) {
  const { t } = useTranslation();
  return (
    <Group justify="flex-end" mt="lg" gap="xs">
      {aside ? <div style={{ marginRight: 'auto' }}>{aside}</div> : null}
      <Button variant="default" onClick={onCancel}>
        {t('actions.cancel')}
      </Button>
      <Button type="submit" loading={isWorking} disabled={isDisabled}>
        {submit ?? t('actions.save')}
      </Button>
    </Group>
  );
}
