import type { Device } from '@albedo/contract/devices/devices.schema';
import type { FoundModbus } from '@albedo/contract/link/link.network';
import { Button, Group } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../../app/permissions.ts';
import classes from './discovery.module.css';
import { linesOf } from './found-lines.ts';

/** From what was found to the service that reads it, in one step: its form comes filled in. */
export function ReadButtons({ device, found }: { device: Device; found: readonly FoundModbus[] }) {
  const { t } = useTranslation();
  const mayControl = usePermission('controlDevices');
  if (!mayControl || found.length === 0) return null;
  return (
    <Group gap="xs" className={classes.read ?? ''}>
      {linesOf(found).map(({ plugin, host, port, units, service }) => (
        <Button
          key={service}
          size="compact-sm"
          variant="default"
          leftSection={<IconPlugConnected size={14} aria-hidden="true" />}
          renderRoot={(props) => (
            <Link
              {...props}
              to="/devices/$deviceId/$tab"
              params={{ deviceId: device.id, tab: 'plugins' }}
              search={{ plugin, service, endpoint: host, bus_addresses: units, port } as never}
            />
          )}
        >
          {t(`discovery.read.${plugin}`, { address: `${host}:${port}`, units })}
        </Button>
      ))}
    </Group>
  );
}
