import type { DeviceGroup } from '@albedo/contract/device-groups/device-groups.schema';
import { Button } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../../app/list/actions.ts';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { useWorkgroup } from '../../app/session.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { PageAction } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { formatWhole } from '../../ui/units/numbers.ts';
import { boundText, compositionText } from './composition-text.ts';
import { deviceGroupsQuery } from './device-groups.queries.ts';
import { GroupDialog } from './group-dialog.tsx';
import { RemoveGroupDialog } from './remove-group-dialog.tsx';
import { useMayChangeGroups } from './use-may-change.ts';

const idOf = ({ _id }: DeviceGroup): string => _id;

/** The device groups of the workgroup. */
export function GroupList() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayChange = useMayChangeGroups();
  const list = useList({ query: deviceGroupsQuery(useWorkgroup()), sort: 'name' });
  const [isMaking, setMaking] = useState(false);
  const columns = useMemo(() => groupColumns(t), [t]);
  const menu = useMemo(() => groupMenu(t), [t]);
  const create = mayChange ? (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
      {t('deviceGroups.create')}
    </Button>
  ) : null;
  return (
    <>
      {list.all?.length !== 0 && !list.error ? <PageAction>{create}</PageAction> : null}
      <ListTable
        {...(mayChange ? { menu } : {})}
        list={list}
        label={t('deviceGroups.title')}
        failed={t('deviceGroups.failed')}
        name="device-groups"
        columns={columns}
        rowId={idOf}
        search={t('deviceGroups.search')}
        Narrow={NarrowGroup}
        onOpen={({ _id }) => void navigate({ to: '/device-groups/$devGroupId', params: { devGroupId: _id } })}
        empty={
          <EmptyState title={t('deviceGroups.none')} text={t('deviceGroups.noneText')}>
            {create}
          </EmptyState>
        }
      />
      {isMaking ? <GroupDialog onClose={() => setMaking(false)} /> : null}
    </>
  );
}

function groupMenu(t: TFunction) {
  const actions: RowAction<DeviceGroup>[] = [
    {
      id: 'change',
      title: t('deviceGroups.change'),
      icon: <IconPencil size={16} />,
      dialog: (group, { close }) => <GroupDialog group={group} onClose={close} />,
    },
    {
      id: 'remove',
      title: t('deviceGroups.remove'),
      icon: <IconTrash size={16} />,
      isDangerous: true,
      dialog: (group, { close }) => <RemoveGroupDialog group={group} onClose={close} />,
    },
  ];
  return { label: ({ name }: DeviceGroup) => t('deviceGroups.menu', { name }), actions: () => actions };
}

function groupColumns(t: TFunction): Column<DeviceGroup>[] {
  return [
    { id: 'name', title: t('deviceGroups.name'), value: (row) => row.name, width: 240, isFixed: true },
    {
      id: 'composition',
      title: t('deviceGroups.composition'),
      value: (row) => compositionText(t, row.composition),
      width: 320,
      importance: 3,
    },
    {
      id: 'devices',
      title: t('deviceGroups.devices'),
      value: (row) => row.devices,
      cell: (row) => formatWhole(row.devices),
      align: 'right',
      width: 110,
      importance: 4,
    },
    {
      id: 'bound',
      title: t('deviceGroups.boundTo'),
      value: (row) => row.members + row.invites + row.tokens,
      text: (row) => boundText(t, row),
      cell: (row) => boundText(t, row),
      width: 260,
      importance: 2,
    },
  ];
}

function NarrowGroup({ row: group }: { row: DeviceGroup }) {
  const { t } = useTranslation();
  return (
    <NarrowRow title={group.name}>
      {t('deviceGroups.deviceCount', { count: group.devices })} · {boundText(t, group)}
    </NarrowRow>
  );
}
