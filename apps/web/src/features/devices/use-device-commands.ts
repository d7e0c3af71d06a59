import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Command } from '../../app/feature.ts';
import { usePermission } from '../../app/permissions.ts';

/** Adding a device, from anywhere. */
export function useDeviceCommands(): readonly Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const canManage = usePermission('manageDevices');
  return useMemo(
    () =>
      canManage
        ? [
            {
              id: 'add-device',
              title: t('devices.add'),
              group: 'do',
              keys: 'n d',
              run: () => void navigate({ to: '/devices', search: { add: true } as never }),
            },
          ]
        : [],
    [canManage, navigate, t],
  );
}
