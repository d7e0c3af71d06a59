import { Button, Group, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './requests.module.css';

const PARTS = ['service', 'account', 'data', 'conduct', 'availability', 'end'] as const;

/** The terms that a request accepts. */
export function TermsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('workgroupRequests.termsTitle')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <div className={classes.termsText}>
        {PARTS.map((part) => (
          <section key={part}>
            <h3>{t(`workgroupRequests.termsText.${part}.title`)}</h3>
            <p>{t(`workgroupRequests.termsText.${part}.text`)}</p>
          </section>
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('actions.close')}
          </Button>
        </Group>
      </div>
    </Modal>
  );
}
