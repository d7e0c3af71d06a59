import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { Button } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ComponentProps, memo, Suspense, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { later } from '../../app/later.ts';
import { ListTable } from '../../app/list/list-table.tsx';
import { usePermission } from '../../app/permissions.ts';
import { useSearchChange, useTableAddress } from '../../ui/data-table/use-table-address.ts';
import { grow } from '../../ui/grow.ts';
import { EmptyState } from '../../ui/states.tsx';
import { deviceColumns, NarrowDevice } from './device-columns.tsx';
import { FilterBar } from './device-filter-bar.tsx';
import {
  countFilters,
  type DeviceFilters,
  filterDevices,
  formatFilters,
  parseFilters,
} from './device-filters.ts';
import { DeviceMenu } from './device-menu.tsx';
import { type DeviceRow, useDeviceRows } from './device-rows.ts';
import { isAwaited } from './device-state.ts';
import { Install } from './install-button.tsx';

const DeviceDialogs = later(async () => (await import('./device-dialogs.tsx')).DeviceDialogs);

const isWaiting = ({ device }: DeviceRow): boolean => isAwaited(device);
const idOf = ({ device }: DeviceRow): string => device.id;

/** All devices with their health; filters, search and sorting stand in the address. */
export const DeviceList = memo(DrawDeviceList);

function DrawDeviceList({ devices }: { devices: DeviceSummary[] }) {
  const { t } = useTranslation();
  // Renaming and deleting are offered.
  const canManage = usePermission('manageDevices');
  const navigate = useNavigate();
  const address = useTableAddress('deviceTitle');
  const change = useSearchChange();
  const { show } = useSearch({ strict: false }) as { show?: unknown };
  const filters = useMemo(() => parseFilters(show), [show]);
  const rows = useDeviceRows(devices);
  const q = useDeferredValue(address.q);
  const passing = useMemo(() => filterDevices(rows, filters, q), [rows, filters, q]);
  const counts = useMemo(() => countFilters(rows), [rows]);
  // Not of `useList`: the rows follow the health that each device reports, and several filters at once let them through.
  const list = { all: rows, rows: passing, error: null, retry: () => {}, address };
  const columns = useMemo(() => deviceColumns(t), [t]);
  const setFilters = (next: DeviceFilters) => change({ show: formatFilters(next) });
  const handleOpen = useCallback(
    ({ device }: DeviceRow) => {
      const name = document.querySelector(`#main a[href="/devices/${device.id}/general"]`);
      void navigate({
        to: '/devices/$deviceId/$tab',
        params: { deviceId: device.id, tab: 'general' },
        viewTransition: grow(name),
      });
    },
    [navigate],
  );
  const [open, setOpen] = useState<ComponentProps<typeof DeviceDialogs>['open']>(null);
  const menuOf = useCallback(
    ({ device }: DeviceRow) => (
      <DeviceMenu
        device={device}
        label={t('devices.menu', { name: device.name })}
        onAction={(action, chosen) => setOpen({ action, device: chosen })}
      />
    ),
    [t],
  );
  const install = useCallback((device: DeviceSummary) => setOpen({ action: 'install', device }), []);
  return (
    <Install value={canManage ? install : null}>
      <ListTable
        list={list}
        label={t('devices.title')}
        failed={t('devices.failed')}
        name="devices"
        columns={columns}
        rowId={idOf}
        search={{ label: t('devices.search'), isDone: true }}
        toolbar={<FilterBar filters={filters} counts={counts} onChange={setFilters} />}
        Narrow={NarrowDevice}
        onOpen={handleOpen}
        isLast={isWaiting}
        // Lighter than the menu of other lists: there are thousands.
        {...(canManage ? { actions: menuOf } : {})}
        empty={
          devices.length === 0 ? (
            <NoDevices canManage={canManage} />
          ) : (
            <NothingPasses onReset={() => change({ show: undefined, q: undefined })} />
          )
        }
      />
      <Suspense>{open ? <DeviceDialogs open={open} onClose={() => setOpen(null)} /> : null}</Suspense>
    </Install>
  );
}

/** Stands there when the workgroup has no device at all. */
function NoDevices({ canManage }: { canManage: boolean }) {
  const { t } = useTranslation();
  return (
    <EmptyState title={t('devices.empty')} text={canManage ? t('devices.emptyText') : t('devices.emptyAsk')}>
      {canManage ? (
        <Button component={Link} to="/commissioning">
          {t('commissioning.guide')}
        </Button>
      ) : null}
    </EmptyState>
  );
}

function NothingPasses({ onReset }: { onReset: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState title={t('devices.nonePass')} text={t('devices.nonePassText')}>
      <Button variant="default" onClick={onReset}>
        {t('devices.resetFilters')}
      </Button>
    </EmptyState>
  );
}
