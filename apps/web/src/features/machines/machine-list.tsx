import { type Machine, newMachine } from '@albedo/contract/machines/machines.schema';
import { Button } from '@mantine/core';
import { IconCopy, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../../app/list/actions.ts';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { NameDialog } from '../../app/name-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { PageAction } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { formatWhole } from '../../ui/units/numbers.ts';
import { machinesQuery, removeMachine, saveMachine } from './machines.queries.ts';

const idOf = ({ _id }: Machine): string => _id;
const rolesOf = ({ roles }: Machine): number => Object.values(roles).filter(Boolean).length;

/** The machines of the workgroup, a tab of Admin > Entities. */
export function MachineList() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const navigate = useNavigate();
  const list = useList({ query: machinesQuery(wg), sort: 'name' });
  const [isCreating, setCreating] = useState(false);
  const columns = useMemo(() => columnsOf(t), [t]);
  const menu = useMemo(
    () => ({
      label: ({ name }: Machine) => t('machines.menu', { name }),
      actions: (machine: Machine): RowAction<Machine>[] => [
        {
          id: 'open',
          title: t('machines.open'),
          icon: <IconPencil size={16} />,
          run: () => navigate({ to: `/admin/entities/machines/${machine._id}` }),
          failed: t('machines.open'),
        },
        {
          id: 'copy',
          title: t('machines.copy'),
          icon: <IconCopy size={16} />,
          run: async () => {
            const { _id, version: _version, ...all } = machine;
            const name = t('machines.copyOf', { name: machine.name });
            await saveMachine(wg, null, { ...all, name });
            notifyDone(t('machines.saved', { name }));
          },
          failed: t('machines.copy'),
        },
        {
          id: 'remove',
          title: t('machines.remove'),
          icon: <IconTrash size={16} />,
          isDangerous: true,
          ask: { text: t('machines.removeText', { name: machine.name }) },
          run: async () => {
            await removeMachine(wg, machine._id);
            notifyDone(t('machines.removed', { name: machine.name }));
          },
        },
      ],
    }),
    [t, wg, navigate],
  );
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {t('machines.create')}
    </Button>
  );
  return (
    <>
      {list.error || list.all?.length === 0 ? null : <PageAction>{create}</PageAction>}
      <ListTable
        list={list}
        label={t('machines.title')}
        failed={t('machines.failed')}
        name="machines"
        columns={columns}
        rowId={idOf}
        search={t('machines.search')}
        Narrow={NarrowMachine}
        menu={menu}
        onOpen="open"
        empty={
          <EmptyState title={t('machines.none')} text={t('machines.noneText')}>
            {create}
          </EmptyState>
        }
      />
      {isCreating ? (
        <NameDialog
          title={t('machines.create')}
          label={t('machines.name')}
          name=""
          schema={newMachine.shape.name}
          onSave={async (name) => {
            const made = await saveMachine(wg, null, newMachine.parse({ name }));
            await navigate({ to: `/admin/entities/machines/${made._id}` });
          }}
          onClose={() => setCreating(false)}
        />
      ) : null}
    </>
  );
}

const columnsOf = (t: TFunction): Column<Machine>[] => [
  { id: 'name', title: t('machines.name'), value: (row) => row.name, width: 280, isFixed: true },
  {
    id: 'class',
    title: t('machines.class'),
    value: (row) => t(`machines.classes.${row.class}`),
    width: 160,
    importance: 3,
  },
  { id: 'maker', title: t('machines.maker'), value: (row) => row.maker, width: 180, importance: 2 },
  { id: 'model', title: t('machines.model'), value: (row) => row.model, width: 180, importance: 4 },
  {
    id: 'roles',
    title: t('machines.roles'),
    value: rolesOf,
    cell: (row) => formatWhole(rolesOf(row)),
    align: 'right',
    width: 100,
    importance: 1,
  },
];

function NarrowMachine({ row }: { row: Machine }) {
  const { t } = useTranslation();
  const parts = [t(`machines.classes.${row.class}`), row.maker, row.model];
  return <NarrowRow title={row.name}>{parts.filter(Boolean).join(' · ')}</NarrowRow>;
}
