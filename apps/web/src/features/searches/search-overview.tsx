import type { SearchOverview } from '@albedo/contract/searches/searches.schema';
import { IconMailOff, IconTrash } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../../app/list/actions.ts';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { endSchedules, overviewQuery, removeAnySearch } from './searches.queries.ts';

const idOf = ({ _id }: SearchOverview): string => _id;

/** All kept searches, whose they are, and whom they are mailed to: a tab of Admin > Workgroup. */
export function SearchOverviewPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const list = useList({ query: overviewQuery(wg), sort: 'name' });
  const columns = useMemo(() => columnsOf(t), [t]);
  const menu = useMemo(
    () => ({
      label: ({ name }: SearchOverview) => t('searches.menuOf', { name }),
      actions: (row: SearchOverview) => actionsOf(t, wg, row),
    }),
    [t, wg],
  );
  return (
    <ListTable
      list={list}
      label={t('searches.title')}
      failed={t('searches.listFailed')}
      name="searches"
      columns={columns}
      rowId={idOf}
      search={t('searches.find')}
      Narrow={NarrowSearch}
      menu={menu}
      empty={<EmptyState title={t('searches.none')} text={t('searches.noneText')} />}
    />
  );
}

const recipientsOf = ({ schedules }: SearchOverview): string =>
  [...new Set(schedules.filter(({ enabled }) => enabled).flatMap(({ recipients }) => recipients))].join(', ');

function columnsOf(t: TFunction): Column<SearchOverview>[] {
  const zone = userZone();
  return [
    { id: 'name', title: t('searches.name'), value: (row) => row.name, width: 240, isFixed: true },
    { id: 'table', title: t('searches.table'), value: (row) => row.table, width: 160, importance: 4 },
    {
      id: 'owner',
      title: t('searches.owner'),
      value: (row) => row.owner ?? t('searches.gone'),
      width: 220,
      importance: 3,
    },
    {
      id: 'shared',
      title: t('searches.visibility'),
      value: (row) => t(row.isShared ? 'searches.shared' : 'searches.personal'),
      width: 120,
      importance: 2,
    },
    { id: 'mailed', title: t('searches.mailedToTitle'), value: recipientsOf, width: 220, importance: 5 },
    {
      id: 'changed',
      title: t('searches.changed'),
      value: (row) => row.updatedAt,
      isTime: true,
      text: (row) => formatInstant(row.updatedAt, zone, false),
      cell: (row) => formatInstant(row.updatedAt, zone, false),
      width: 170,
      importance: 1,
    },
  ];
}

function actionsOf(t: TFunction, wg: string, row: SearchOverview): RowAction<SearchOverview>[] {
  const { _id, name, schedules } = row;
  return [
    ...(schedules.length > 0
      ? [
          {
            id: 'end',
            title: t('searches.endAll'),
            icon: <IconMailOff size={16} />,
            isDangerous: true,
            ask: { text: t('searches.endAllText', { name }) },
            run: async () => {
              await endSchedules(wg, _id);
              notifyDone(t('searches.unscheduled'));
            },
          },
        ]
      : []),
    {
      id: 'remove',
      title: t('searches.remove'),
      icon: <IconTrash size={16} />,
      isDangerous: true,
      ask: { text: t('searches.removeText', { name }) },
      run: async () => {
        await removeAnySearch(wg, _id);
        notifyDone(t('searches.removed', { name }));
      },
    },
  ];
}

function NarrowSearch({ row }: { row: SearchOverview }) {
  const { t } = useTranslation();
  return (
    <NarrowRow title={row.name}>
      {[row.table, row.owner ?? t('searches.gone'), recipientsOf(row)].filter(Boolean).join(' · ')}
    </NarrowRow>
  );
}
