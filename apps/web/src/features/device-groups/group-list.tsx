import type { DeviceGroup } from '@albedo/contract/device-groups/device-groups.schema';
import { Button } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { useTableAddress } from '../../ui/data-table/use-table-address.ts';
import { PageAction } from '../../ui/page.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { formatWhole } from '../../ui/units/numbers.ts';
import { boundText, compositionText } from './composition-text.ts';
import classes from './device-groups.module.css';
import { deviceGroupsQuery } from './device-groups.queries.ts';
import { GroupDialog } from './group-dialog.tsx';
import { RemoveGroupDialog } from './remove-group-dialog.tsx';
import { useMayChangeGroups } from './use-may-change.ts';

type Open = { action: 'create' } | { action: 'change' | 'remove'; group: DeviceGroup };

const idOf = ({ _id }: DeviceGroup): string => _id;

/** The device groups of the workgroup. */
export function GroupList() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const navigate = useNavigate();
  const mayChange = useMayChangeGroups();
  const address = useTableAddress('name');
  const { data: groups, error, refetch } = useQuery(deviceGroupsQuery(wg));
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const columns = useMemo(() => groupColumns(t), [t]);
  const narrow = useCallback((group: DeviceGroup) => <NarrowGroup group={group} />, []);
  const menuOf = useCallback(
    (group: DeviceGroup) => (
      <RowMenu
        label={t('deviceGroups.menu', { name: group.name })}
        actions={[
          {
            title: t('deviceGroups.change'),
            icon: <IconPencil size={16} />,
            onClick: () => setOpen({ action: 'change', group }),
          },
          {
            title: t('deviceGroups.remove'),
            icon: <IconTrash size={16} />,
            isDangerous: true,
            onClick: () => setOpen({ action: 'remove', group }),
          },
        ]}
      />
    ),
    [t],
  );

  if (error) {
    return <ErrorState title={t('deviceGroups.failed')} error={error} onRetry={() => void refetch()} />;
  }
  const create = mayChange ? (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen({ action: 'create' })}>
      {t('deviceGroups.create')}
    </Button>
  ) : null;
  return (
    <div className={classes.list}>
      {groups?.length !== 0 ? <PageAction>{create}</PageAction> : null}
      <DataTable
        label={t('deviceGroups.title')}
        name="device-groups"
        columns={columns}
        rows={groups}
        rowId={idOf}
        sort={address.sort}
        onSort={address.setSort}
        narrow={narrow}
        onOpen={({ _id }) => void navigate({ to: '/device-groups/$devGroupId', params: { devGroupId: _id } })}
        find={{ label: t('deviceGroups.search'), q: address.q, setQ: address.setQ }}
        {...(mayChange ? { actions: menuOf } : {})}
        empty={
          <EmptyState title={t('deviceGroups.none')} text={t('deviceGroups.noneText')}>
            {create}
          </EmptyState>
        }
      />
      {open?.action === 'create' ? <GroupDialog onClose={close} /> : null}
      {open?.action === 'change' ? <GroupDialog group={open.group} onClose={close} /> : null}
      {open?.action === 'remove' ? <RemoveGroupDialog group={open.group} onClose={close} /> : null}
    </div>
  );
}

function groupColumns(t: TFunction): Column<DeviceGroup>[] {
  return [
    { id: 'name', title: t('deviceGroups.name'), value: (row) => row.name, width: 320, isFixed: true },
    {
      id: 'composition',
      title: t('deviceGroups.composition'),
      value: (row) => compositionText(t, row.composition),
      width: 320,
    },
    {
      id: 'devices',
      title: t('deviceGroups.devices'),
      value: (row) => row.devices,
      cell: (row) => formatWhole(row.devices),
      align: 'right',
      width: 110,
    },
    {
      id: 'bound',
      title: t('deviceGroups.boundTo'),
      value: (row) => row.members + row.invites + row.tokens,
      text: (row) => boundText(t, row),
      cell: (row) => boundText(t, row),
      width: 260,
    },
  ];
}

function NarrowGroup({ group }: { group: DeviceGroup }) {
  const { t } = useTranslation();
  return (
    <NarrowRow title={group.name}>
      {t('deviceGroups.deviceCount', { count: group.devices })} · {boundText(t, group)}
    </NarrowRow>
  );
}
