import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { InstallSteps } from './install-steps.tsx';

/** The agent for a device that is there already: for a new machine, or after a certificate was revoked. */
export function InstallDialog({ device, onClose }: { device: DeviceSummary; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('install.title', { name: device.name })}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <InstallSteps device={device} onClose={onClose} />
    </Modal>
  );
}
