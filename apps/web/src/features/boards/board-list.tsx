import type { BoardHead } from '@albedo/contract/boards/boards.schema';
import { Button } from '@mantine/core';
import { IconCopy, IconEye, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { boardsQuery } from '../../app/boards-query.ts';
import { entityWorldQuery } from '../../app/entity-world-query.ts';
import { useLabels } from '../../app/labels.ts';
import type { RowAction } from '../../app/list/actions.ts';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { PageAction } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { browserZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import { removeBoard } from './boards.queries.ts';

const idOf = ({ _id }: BoardHead): string => _id;

/** The dashboards of the workgroup, a tab of Admin > Entities. */
export function BoardListPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { history } = useRouter();
  const list = useList({ query: boardsQuery(wg), sort: 'name' });
  const { data: world } = useQuery(entityWorldQuery(wg));
  const labels = useLabels();
  const subject = useMemo(
    () => (row: BoardHead) =>
      row.type === 'entity'
        ? (world?.byId.get(row.typeId)?.name ?? row.typeId)
        : (labels.find(({ id }) => id === row.typeId)?.name ?? row.typeId),
    [world, labels],
  );
  const columns = useMemo(() => columnsOf(t, subject), [t, subject]);
  const menu = useMemo(
    () => ({
      label: ({ name }: BoardHead) => t('boards.menu', { name }),
      actions: (row: BoardHead) => actionsOf(t, wg, row, (path) => history.push(path)),
    }),
    [t, wg, history],
  );
  const create = (
    <Button component={Link} to="/entities/dash3-edit" leftSection={<IconPlus size={16} />}>
      {t('boards.newBoard')}
    </Button>
  );
  return (
    <>
      {list.error || list.all?.length === 0 ? null : <PageAction>{create}</PageAction>}
      <ListTable
        list={list}
        label={t('boards.title')}
        failed={t('boards.listFailed')}
        name="entity-dashboards"
        columns={columns}
        rowId={idOf}
        search={t('boards.search')}
        Narrow={NarrowBoard}
        menu={menu}
        onOpen="open"
        empty={
          <EmptyState title={t('boards.none')} text={t('boards.noneText')}>
            {create}
          </EmptyState>
        }
      />
    </>
  );
}

function actionsOf(
  t: TFunction,
  wg: string,
  { _id, name, may }: BoardHead,
  go: (path: string) => void,
): RowAction<BoardHead>[] {
  const goTo = (path: string) => async () => go(path);
  const open: RowAction<BoardHead> = {
    id: 'open',
    title: t('boards.open'),
    icon: <IconEye size={16} />,
    run: goTo(`/entities/dash3/${_id}`),
    failed: t('boards.open'),
  };
  const edit: RowAction<BoardHead> = {
    id: 'edit',
    title: t('boards.change'),
    icon: <IconPencil size={16} />,
    run: goTo(`/entities/dash3-edit/${_id}`),
    failed: t('boards.change'),
  };
  const copy: RowAction<BoardHead> = {
    id: 'copy',
    title: t('boards.copy'),
    icon: <IconCopy size={16} />,
    run: goTo(`/entities/dash3-edit?copyId=${_id}`),
    failed: t('boards.copy'),
  };
  const remove: RowAction<BoardHead> = {
    id: 'remove',
    title: t('boards.remove'),
    icon: <IconTrash size={16} />,
    isDangerous: true,
    ask: { text: t('boards.removeText', { name }) },
    run: async () => {
      await removeBoard(wg, _id);
      notifyDone(t('boards.removed', { name }));
    },
  };
  return [open, ...(may.includes('edit') ? [edit] : []), copy, ...(may.includes('delete') ? [remove] : [])];
}

function columnsOf(t: TFunction, subject: (row: BoardHead) => string): Column<BoardHead>[] {
  return [
    { id: 'name', title: t('boards.name'), value: (row) => row.name, width: 260, isFixed: true },
    {
      id: 'type',
      title: t('boards.type'),
      value: (row) => t(`boards.types.${row.type}`),
      width: 120,
      importance: 2,
    },
    { id: 'subject', title: t('boards.subject'), value: subject, width: 220, importance: 5 },
    {
      id: 'widgets',
      title: t('boards.widgetCount'),
      value: (row) => row.widgets,
      cell: (row) => formatWhole(row.widgets),
      align: 'right',
      width: 100,
      importance: 3,
    },
    {
      id: 'updatedAt',
      title: t('boards.updatedAt'),
      value: (row) => row.updatedAt,
      isTime: true,
      cell: (row) => formatInstant(row.updatedAt, browserZone()),
      width: 180,
      importance: 4,
    },
    {
      id: 'updatedBy',
      title: t('boards.updatedBy'),
      value: (row) => row.updatedBy,
      width: 220,
      importance: 1,
    },
  ];
}

function NarrowBoard({ row }: { row: BoardHead }) {
  const { t } = useTranslation();
  return (
    <NarrowRow title={row.name}>
      {`${t(`boards.types.${row.type}`)} · ${t('boards.widgetsOf', { count: row.widgets })}`}
    </NarrowRow>
  );
}
