import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Suspense, useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import { announced } from '../../app/inside.ts';
import { later } from '../../app/later.ts';
import { usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSearchChange } from '../../ui/data-table/use-table-address.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { DeviceList } from './device-list.tsx';
import { DeviceListSkeleton } from './device-list-skeleton.tsx';
import { DeviceSummary } from './device-summary.tsx';
import { deviceListQuery } from './devices.queries.ts';

const AddDeviceDialog = later(async () => (await import('./add-device-dialog.tsx')).AddDeviceDialog);

export function DevicesPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const canManage = usePermission('manageDevices');
  const { data, error, refetch } = useQuery(deviceListQuery(wg));
  // The first list is drawn in pieces, between which the browser answers.
  const devices = useDeferredValue(data);
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
      context={devices ? <DeviceSummary devices={devices} /> : '\u00a0'}
      actions={
        <>
          {many}
          {add}
        </>
      }
    >
      {announced('devicesHead').map(({ at, Content }) => (
        <Content key={at} />
      ))}
      {devices ? (
        <DeviceList
          devices={devices}
          canManage={canManage}
          empty={
            <EmptyState
              title={t('devices.empty')}
              text={canManage ? t('devices.emptyText') : t('devices.emptyAsk')}
            >
              {canManage ? (
                <Button component={Link} to="/commissioning">
                  {t('commissioning.guide')}
                </Button>
              ) : null}
            </EmptyState>
          }
        />
      ) : error ? (
        <ErrorState title={t('devices.failed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <DeviceListSkeleton />
      )}
      {isAdding && canManage ? (
        <Suspense>
          <AddDeviceDialog onClose={() => setAdding(false)} />
        </Suspense>
      ) : null}
    </Page>
  );
}
