import type { Calculation } from '@albedo/contract/calculations/calculations.schema';
import { Button } from '@mantine/core';
import {
  IconChartBar,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../../app/list/actions.ts';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { notifyDone } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { PageAction } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { calculationsQuery, removeCalculation, saveCalculation } from './calculations.queries.ts';
import { definitionOf } from './definition.ts';
import { NewCalculationDialog } from './new-calculation-dialog.tsx';
import { stateText } from './state-text.ts';

const idOf = ({ _id }: Calculation): string => _id;

/** The calculations of the workgroup, a tab of Admin > Data. */
export function CalculationList() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(60_000);
  const navigate = useNavigate();
  const list = useList({ query: calculationsQuery(wg), sort: 'name' });
  const [isCreating, setCreating] = useState(false);
  const columns = useMemo(() => columnsOf(t, now), [t, now]);
  const menu = useMemo(
    () => ({
      label: ({ name }: Calculation) => t('calculations.menu', { name }),
      actions: (one: Calculation): RowAction<Calculation>[] => [
        {
          id: 'results',
          title: t('calculations.results'),
          icon: <IconChartBar size={16} />,
          run: () => navigate({ to: '/kpis/calculation/$calculationId', params: { calculationId: one._id } }),
          failed: t('calculations.results'),
        },
        {
          id: 'change',
          title: t('calculations.change'),
          icon: <IconPencil size={16} />,
          run: () =>
            navigate({ to: '/admin/data/calculations/$calculation', params: { calculation: one._id } }),
          failed: t('calculations.change'),
        },
        switching(t, wg, one),
        {
          id: 'remove',
          title: t('calculations.remove'),
          icon: <IconTrash size={16} />,
          isDangerous: true,
          ask: { text: t('calculations.removeText', { name: one.name }) },
          run: async () => {
            await removeCalculation(wg, one._id);
            notifyDone(t('calculations.removed', { name: one.name }));
          },
        },
      ],
    }),
    [t, wg, navigate],
  );
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {t('calculations.create')}
    </Button>
  );
  return (
    <>
      {list.error || list.all?.length === 0 ? null : <PageAction>{create}</PageAction>}
      <ListTable
        list={list}
        label={t('calculations.title')}
        failed={t('calculations.failed')}
        name="calculations"
        columns={columns}
        rowId={idOf}
        search={t('calculations.search')}
        Narrow={NarrowCalculation}
        menu={menu}
        onOpen="results"
        empty={
          <EmptyState title={t('calculations.none')} text={t('calculations.noneText')}>
            {create}
          </EmptyState>
        }
      />
      {isCreating ? <NewCalculationDialog wg={wg} onClose={() => setCreating(false)} /> : null}
    </>
  );
}

/** Off and on again, without anything else being another one. */
const switching = (t: TFunction, wg: string, one: Calculation): RowAction<Calculation> => ({
  id: 'switch',
  title: one.isActive ? t('calculations.switchOff') : t('calculations.switchOn'),
  icon: one.isActive ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />,
  run: async () => {
    await saveCalculation(
      wg,
      { id: one._id, version: one.version },
      { ...definitionOf(one), isActive: !one.isActive },
    );
    notifyDone(t(one.isActive ? 'calculations.isOff' : 'calculations.isOn', { name: one.name }));
  },
  failed: one.isActive ? t('calculations.switchOff') : t('calculations.switchOn'),
});

const columnsOf = (t: TFunction, now: number): Column<Calculation>[] => [
  { id: 'name', title: t('calculations.name'), value: (row) => row.name, width: 260, isFixed: true },
  {
    id: 'interval',
    title: t('calculations.interval'),
    value: (row) => t(`calculations.intervals.${row.interval}`),
    width: 140,
    importance: 2,
  },
  { id: 'table', title: t('calculations.table'), value: (row) => row.table, width: 180, importance: 1 },
  {
    id: 'state',
    title: t('calculations.state'),
    value: (row) => stateText(t, row, now),
    width: 240,
    importance: 3,
  },
];

function NarrowCalculation({ row }: { row: Calculation }) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  return <NarrowRow title={row.name}>{stateText(t, row, now)}</NarrowRow>;
}
