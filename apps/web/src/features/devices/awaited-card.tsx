import type { Device } from '@albedo/contract/devices/devices.schema';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMayManageDevices } from './device.queries.ts';
import classes from './devices.module.css';
import { InstallDialog } from './install-dialog.tsx';

/** On the page of a device that was never there: what it waits for, and the next step. */
export function AwaitedCard({ device }: { device: Device }) {
  const { t } = useTranslation();
  const mayManage = useMayManageDevices();
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={classes.awaitedCard} aria-label={t('devices.awaited')}>
      <p>{t(mayManage ? 'devices.awaitedText' : 'devices.awaitedAsk', { name: device.name })}</p>
      {mayManage ? <Button onClick={() => setOpen(true)}>{t('devices.showCommand')}</Button> : null}
      {isOpen ? <InstallDialog device={device} onClose={() => setOpen(false)} /> : null}
    </section>
  );
}
