import type { Device } from '@albedo/contract/devices/devices.schema';
import { Button, Group } from '@mantine/core';
import { IconPrinter, IconShare } from '@tabler/icons-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import { QrCode } from '../../ui/qr-code.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './device-label.module.css';
import { share } from './share.ts';

/** A label for the box of a device; one of the cloud has no box. */
export function DeviceLabelCard({ device }: { device: Device }) {
  return device.ced ? null : <Label device={device} />;
}

/** The code that opens the device on a phone, to be printed and put on its box, and its address to hand on. */
function Label({ device }: { device: Device }) {
  const { t } = useTranslation();
  const [isPrinting, setPrinting] = useState(false);
  const endPrinting = useCallback(() => setPrinting(false), []);
  const url = new URL(`/devices/${encodeURIComponent(device.id)}/general`, window.location.origin).href;
  const code = <QrCode text={url} label={t('deviceLabel.code', { name: device.name })} />;

  async function handleShare() {
    try {
      if ((await share({ title: device.name, url })) === 'copied') notifyDone(t('deviceLabel.copied'));
    } catch (error) {
      notifyFailure(t('deviceLabel.shareFailed'), error);
    }
  }

  return (
    <Section title={t('deviceLabel.title')}>
      <div className={classes.card}>
        {code}
        <p className={classes.text}>{t('deviceLabel.text')}</p>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconPrinter size={16} aria-hidden="true" />}
            onClick={() => setPrinting(true)}
          >
            {t('deviceLabel.print')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconShare size={16} aria-hidden="true" />}
            onClick={() => void handleShare()}
          >
            {t('deviceLabel.share')}
          </Button>
        </Group>
      </div>
      {isPrinting ? (
        <Sheet onDone={endPrinting}>
          {code}
          <strong>{device.name}</strong>
          <span>{device.id}</span>
        </Sheet>
      ) : null}
    </Section>
  );
}

/** What goes on paper in place of the page. */
function Sheet({ onDone, children }: { onDone: () => void; children: ReactNode }) {
  useEffect(() => {
    window.addEventListener('afterprint', onDone, { once: true });
    window.print();
    return () => window.removeEventListener('afterprint', onDone);
  }, [onDone]);
  return createPortal(
    <div className={classes.sheet} data-print-sheet>
      {children}
    </div>,
    document.body,
  );
}
