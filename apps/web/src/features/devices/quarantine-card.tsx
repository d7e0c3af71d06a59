import type { Device } from '@albedo/contract/devices/devices.schema';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { useMayManageDevices } from './device.queries.ts';
import classes from './devices.module.css';
import { ReleaseDialog } from './quarantine-dialogs.tsx';

/** On the page of a device that is kept out: since when, who did it and why, and the way back. */
export function QuarantineCard({ device }: { device: Device }) {
  const { t } = useTranslation();
  const mayManage = useMayManageDevices();
  const [isOpen, setOpen] = useState(false);
  const { quarantine } = device;
  if (!quarantine) return null;
  const since = formatInstant(quarantine.since, userZone(), false);
  return (
    <section className={classes.awaitedCard} aria-label={t('devices.inQuarantine')}>
      <div className={classes.held}>
        <LevelIcon mark="held" size={18} />
        <p>
          <strong>
            {t(quarantine.by === null ? 'devices.heldSince' : 'devices.heldSinceBy', {
              since,
              by: quarantine.by,
            })}
          </strong>
          {quarantine.reason === '' ? null : <> {quarantine.reason}</>}
          <br />
          {t('devices.heldText')}
        </p>
      </div>
      {mayManage ? <Button onClick={() => setOpen(true)}>{t('devices.release')}</Button> : null}
      {isOpen ? <ReleaseDialog device={device} onClose={() => setOpen(false)} /> : null}
    </section>
  );
}
