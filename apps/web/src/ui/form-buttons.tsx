import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface FormButtonsProps {
  /** What the form does; 'Save' without it. */
  submit?: string;
  isWorking: boolean;
  isDisabled?: boolean;
  onCancel: () => void;
}

/** How a form in a dialog ends. */
export function FormButtons({ submit, isWorking, isDisabled = false, onCancel }: FormButtonsProps) {
  const { t } = useTranslation();
  return (
    <Group justify="flex-end" mt="lg" gap="xs">
      <Button variant="default" onClick={onCancel}>
        {t('actions.cancel')}
      </Button>
      <Button type="submit" loading={isWorking} disabled={isDisabled}>
        {submit ?? t('actions.save')}
      </Button>
    </Group>
  );
}
