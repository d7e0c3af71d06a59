import type { LookupTable } from '@albedo/contract/lookup-tables/lookup-tables.schema';
import { Button } from '@mantine/core';
import { IconDownload, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../../app/list/actions.ts';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { askCsv } from '../../ui/csv/csv-ask.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { tableOf } from '../../ui/data-table/csv.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { PageAction } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { formatWhole } from '../../ui/units/numbers.ts';
import { LookupTableDialog } from './lookup-table-dialog.tsx';
import { lookupTablesQuery, removeLookupTable } from './lookup-tables.queries.ts';
import { csvColumns } from './table-to-csv.ts';

const idOf = ({ _id }: LookupTable): string => _id;

/** The lookup tables of the workgroup, a tab of Admin > Workgroup. */
export function LookupTableList() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const list = useList({ query: lookupTablesQuery(wg), sort: 'name' });
  const [isCreating, setCreating] = useState(false);
  const columns = useMemo(() => columnsOf(t), [t]);
  const menu = useMemo(
    () => ({
      label: ({ name }: LookupTable) => t('lookupTables.menu', { name }),
      actions: (table: LookupTable) => actionsOf(t, wg, table),
    }),
    [t, wg],
  );
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {t('lookupTables.create')}
    </Button>
  );
  return (
    <>
      {list.error || list.all?.length === 0 ? null : <PageAction>{create}</PageAction>}
      <ListTable
        list={list}
        label={t('lookupTables.title')}
        failed={t('lookupTables.failed')}
        name="lookup-tables"
        columns={columns}
        rowId={idOf}
        search={t('lookupTables.search')}
        Narrow={NarrowTable}
        menu={menu}
        onOpen="change"
        empty={
          <EmptyState title={t('lookupTables.none')} text={t('lookupTables.noneText')}>
            {create}
          </EmptyState>
        }
      />
      {isCreating ? <LookupTableDialog table={null} onClose={() => setCreating(false)} /> : null}
    </>
  );
}

function actionsOf(t: TFunction, wg: string, table: LookupTable): RowAction<LookupTable>[] {
  const { _id, name } = table;
  return [
    {
      id: 'change',
      title: t('lookupTables.change'),
      icon: <IconPencil size={16} />,
      dialog: (row, { close }) => <LookupTableDialog table={row} onClose={close} />,
    },
    {
      id: 'download',
      title: t('lookupTables.download'),
      icon: <IconDownload size={16} />,
      run: async () => askCsv({ title: table.code, table: () => tableOf(csvColumns(table), table.values) }),
      failed: t('lookupTables.download'),
    },
    {
      id: 'remove',
      title: t('lookupTables.remove'),
      icon: <IconTrash size={16} />,
      isDangerous: true,
      ask: { text: t('lookupTables.removeText', { name }) },
      run: async () => {
        await removeLookupTable(wg, _id);
        notifyDone(t('lookupTables.removed', { name }));
      },
    },
  ];
}

function columnsOf(t: TFunction): Column<LookupTable>[] {
  return [
    { id: 'name', title: t('lookupTables.name'), value: (row) => row.name, width: 280, isFixed: true },
    { id: 'code', title: t('lookupTables.code'), value: (row) => row.code, width: 200, importance: 4 },
    { id: 'explains', title: t('lookupTables.explains'), value: explained, width: 260, importance: 3 },
    {
      id: 'fields',
      title: t('lookupTables.fields'),
      value: (row) => row.fields.map(({ name }) => name).join(', '),
      width: 220,
      importance: 1,
    },
    {
      id: 'values',
      title: t('lookupTables.values'),
      value: (row) => row.values.length,
      cell: (row) => formatWhole(row.values.length),
      align: 'right',
      width: 100,
      importance: 2,
    },
  ];
}

/** The fields of the data that the table has words for. */
const explained = ({ values }: LookupTable): string =>
  [...new Set(values.flatMap(({ field }) => field ?? []))].join(', ');

function NarrowTable({ row: table }: { row: LookupTable }) {
  const { t } = useTranslation();
  return (
    <NarrowRow title={table.name}>
      {[explained(table), t('lookupTables.valueCount', { count: table.values.length })]
        .filter(Boolean)
        .join(' · ')}
    </NarrowRow>
  );
}
