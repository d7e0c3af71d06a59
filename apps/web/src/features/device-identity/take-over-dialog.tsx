import type { Device } from '@albedo/contract/devices/devices.schema';
import { Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';
import classes from './device-identity.module.css';
import { takeOver } from './device-identity.queries.ts';

/** Which device that is gone this machine goes on as. */
export function TakeOverDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const navigate = useNavigate();
  const { data: devices = [] } = useQuery(deviceListQuery(wg));
  const gone = devices.filter(({ id, ced, facts }) => id !== device.id && !ced && !facts.online);
  const [chosen, setChosen] = useState<string | null>(null);
  const old = gone.find(({ id }) => id === chosen);
  const handleConfirm = async () => {
    if (!old) throw new Error(t('deviceIdentity.chooseFirst'));
    await takeOver({ wg, device: device.id }, old.id);
    notifyDone(t('deviceIdentity.takenOver', { name: device.name, old: old.name }));
    await navigate({ to: '/devices/$deviceId/$tab', params: { deviceId: old.id, tab: 'general' } });
  };
  return (
    <ConfirmDialog confirm={t('deviceIdentity.takeOver')} onConfirm={handleConfirm} onClose={onClose}>
      <div className={classes.stack}>
        <Select
          label={t('deviceIdentity.replaces')}
          placeholder={t(gone.length > 0 ? 'deviceIdentity.choose' : 'deviceIdentity.noneGone')}
          data={gone.map(({ id, name }) => ({ value: id, label: name }))}
          value={chosen}
          disabled={gone.length === 0}
          searchable
          onChange={setChosen}
        />
        <Text size="sm">{t('deviceIdentity.takeOverMeans', { name: device.name })}</Text>
      </div>
    </ConfirmDialog>
  );
}
