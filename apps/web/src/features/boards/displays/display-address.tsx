import { Button, CopyButton, Group, Textarea } from '@mantine/core';
import { IconCheck, IconCopy, IconExternalLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { QrCode } from '../../../ui/qr-code.tsx';
import { ShownOnceDialog } from '../../../ui/shown-once-dialog.tsx';
import classes from './displays.module.css';

/** The address of a new link. */
export function DisplayAddress({ address, onClose }: { address: string; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <ShownOnceDialog
      title={t('boards.display.made')}
      kept={t('boards.display.kept')}
      size="md"
      onClose={onClose}
    >
      <p style={{ margin: 0 }}>{t('boards.display.once')}</p>
      <Textarea
        readOnly
        autosize
        label={t('boards.display.address')}
        classNames={{ input: classes.address ?? '' }}
        value={address}
      />
      <Group>
        <CopyButton value={address} timeout={2000}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              data-autofocus
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              onClick={copy}
            >
              {copied ? t('actions.copied') : t('boards.display.copy')}
            </Button>
          )}
        </CopyButton>
        <Button
          component="a"
          href={address}
          target="_blank"
          rel="noopener"
          variant="default"
          leftSection={<IconExternalLink size={16} />}
        >
          {t('boards.display.open')}
        </Button>
      </Group>
      <QrCode text={address} label={t('boards.display.address')} />
    </ShownOnceDialog>
  );
}
