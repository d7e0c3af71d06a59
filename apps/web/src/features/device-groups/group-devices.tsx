import type { DeviceGroup } from '@albedo/contract/device-groups/device-groups.schema';
import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { useTableAddress } from '../../ui/data-table/use-table-address.ts';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { StatusDot } from '../../ui/status/status-dot.tsx';
import { deviceListQuery } from '../devices/devices.queries.ts';
import classes from './device-groups.module.css';
import { matchesQuery } from './device-groups.queries.ts';

const idOf = ({ id }: DeviceSummary): string => id;

/** The devices that the group has now. */
export function GroupDevices({ group }: { group: DeviceGroup }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const navigate = useNavigate();
  const address = useTableAddress('name');
  const matches = useQuery(matchesQuery(wg, group.composition));
  const list = useQuery(deviceListQuery(wg));
  const devices = useMemo(() => {
    if (!matches.data || !list.data) return undefined;
    const ids = new Set(matches.data);
    return list.data.filter(({ id }) => ids.has(id));
  }, [matches.data, list.data]);
  const sources = useMemo(() => sourcesOf(group), [group]);
  const columns = useMemo((): Column<DeviceSummary>[] => {
    const statusOf = (device: DeviceSummary) =>
      t(device.facts.online ? 'devices.filters.status.online' : 'devices.filters.status.offline');
    const textOf = (device: DeviceSummary) =>
      sources.get(device.id)?.join(', ') ?? t('deviceGroups.allSources');
    return [
      { id: 'name', title: t('deviceGroups.device'), value: (row) => row.name, width: 280, isFixed: true },
      {
        id: 'status',
        title: t('deviceGroups.status'),
        value: statusOf,
        cell: (row) => <StatusDot isOnline={row.facts.online} label={statusOf(row)} />,
        width: 120,
        importance: 1,
      },
      { id: 'sources', title: t('deviceGroups.sources'), value: textOf, width: 320, importance: 2 },
    ];
  }, [t, sources]);
  const narrow = useCallback(
    (device: DeviceSummary) => (
      <NarrowRow title={device.name}>
        <StatusDot
          isOnline={device.facts.online}
          label={t(`devices.filters.status.${device.facts.online ? 'online' : 'offline'}`)}
        />{' '}
        · {sources.get(device.id)?.join(', ') ?? t('deviceGroups.allSources')}
      </NarrowRow>
    ),
    [t, sources],
  );
  const isList = group.composition.type === 'IN' || group.composition.type === 'SRC';
  const failed = [matches, list].find(({ error }) => error);
  return (
    <Section
      title={t('deviceGroups.devices')}
      context={matches.data ? t('deviceGroups.deviceCount', { count: matches.data.length }) : null}
    >
      {failed ? (
        <ErrorState title={t('devices.failed')} error={failed.error} onRetry={() => void failed.refetch()} />
      ) : (
        <div className={classes.devices}>
          <DataTable
            label={t('deviceGroups.devices')}
            name="device-group-devices"
            columns={columns}
            rows={devices}
            rowId={idOf}
            sort={address.sort}
            onSort={address.setSort}
            find={{ label: t('deviceGroups.find'), q: address.q, setQ: address.setQ }}
            narrow={narrow}
            onOpen={({ id }) =>
              void navigate({ to: '/devices/$deviceId/$tab', params: { deviceId: id, tab: 'general' } })
            }
            empty={
              <EmptyState
                title={t('deviceGroups.noDevices')}
                text={t(`deviceGroups.noDevicesText.${isList ? 'list' : 'rule'}`)}
              />
            }
          />
        </div>
      )}
    </Section>
  );
}

/** Sources of devices that have not all of them in the group. */
function sourcesOf({ composition }: DeviceGroup): ReadonlyMap<string, readonly string[]> {
  if (composition.type !== 'SRC') return new Map();
  return new Map(
    composition.devices.flatMap(({ device, sources }) => (sources ? [[device, sources] as const] : [])),
  );
}
