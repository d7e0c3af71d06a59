import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { memo, Suspense, useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import { announced } from '../../app/inside.ts';
import { later } from '../../app/later.ts';
import { usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSearchChange } from '../../ui/data-table/use-table-address.ts';
import { Page } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { DeviceList } from './device-list.tsx';
import { DeviceListSkeleton } from './device-list-skeleton.tsx';
import { DeviceSummary } from './device-summary.tsx';
import { deviceListQuery } from './devices.queries.ts';

const AddDeviceDialog = later(async () => (await import('./add-device-dialog.tsx')).AddDeviceDialog);

export function DevicesPage() {
  const { t } = useTranslation();
  const canManage = usePermission('manageDevices');
  // In the address: the command leads here from anywhere, and Back closes the dialog.
  const { add: isAdding = false } = useSearch({ strict: false }) as { add?: boolean };
  const change = useSearchChange();
  const setAdding = (is: boolean) => change({ add: is || undefined }, { isStep: is });
  const canControl = usePermission('controlDevices');
  const many = canControl ? (
    <Button variant="default" component={Link} to="/devices/bulk-actions">
      {t('devices.bulkActions')}
    </Button>
  ) : null;
  const add = canManage ? (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t('devices.add')}
    </Button>
  ) : null;
  return (
    <Page
      isFilling
      title={t('devices.title')}
      context={<Summary />}
      actions={
        <>
          {many}
          {add}
        </>
      }
    >
      <Head />
      <List />
      {isAdding && canManage ? (
        <Suspense>
          <AddDeviceDialog onClose={() => setAdding(false)} />
        </Suspense>
      ) : null}
    </Page>
  );
}

/** The devices as they are drawn: in pieces between which the browser answers. What shows them is drawn again for new ones alone. */
function useDevices() {
  const { data, error, refetch } = useQuery(deviceListQuery(useWorkgroup()));
  return { devices: useDeferredValue(data), error, refetch };
}

function Summary() {
  const { devices } = useDevices();
  return devices ? <DeviceSummary devices={devices} /> : '\u00a0';
}

const Head = memo(() => announced('devicesHead').map(({ at, Content }) => <Content key={at} />));

function List() {
  const { t } = useTranslation();
  const { devices, error, refetch } = useDevices();
  if (devices) return <DeviceList devices={devices} />;
  if (error) return <ErrorState title={t('devices.failed')} error={error} onRetry={() => void refetch()} />;
  return <DeviceListSkeleton />;
}
