import type { LookupTable } from '@albedo/contract/lookup-tables/lookup-tables.schema';
import { Button } from '@mantine/core';
import { IconDownload, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { saveFile, toCsv } from '../../ui/data-table/csv.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { useTableAddress } from '../../ui/data-table/use-table-address.ts';
import { PageAction } from '../../ui/page.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { formatWhole } from '../../ui/units/numbers.ts';
import { LookupTableDialog } from './lookup-table-dialog.tsx';
import classes from './lookup-tables.module.css';
import { lookupTablesQuery, removeLookupTable } from './lookup-tables.queries.ts';
import { csvColumns } from './table-to-csv.ts';

type Open = { action: 'create' } | { action: 'change' | 'remove'; table: LookupTable };

const idOf = ({ _id }: LookupTable): string => _id;

/** The lookup tables of the workgroup, a tab of Admin > Workgroup. */
export function LookupTableList() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const address = useTableAddress('name');
  const { data: tables, error, refetch } = useQuery(lookupTablesQuery(wg));
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const columns = useMemo(() => columnsOf(t), [t]);
  const narrow = useCallback((table: LookupTable) => <NarrowTable table={table} />, []);
  const menuOf = useCallback(
    (table: LookupTable) => (
      <RowMenu
        label={t('lookupTables.menu', { name: table.name })}
        actions={[
          {
            title: t('lookupTables.change'),
            icon: <IconPencil size={16} />,
            onClick: () => setOpen({ action: 'change', table }),
          },
          {
            title: t('lookupTables.download'),
            icon: <IconDownload size={16} />,
            onClick: () => saveFile(`${table.code}.csv`, toCsv(csvColumns(table), table.values)),
          },
          {
            title: t('lookupTables.remove'),
            icon: <IconTrash size={16} />,
            isDangerous: true,
            onClick: () => setOpen({ action: 'remove', table }),
          },
        ]}
      />
    ),
    [t],
  );

  if (error && !tables) {
    return <ErrorState title={t('lookupTables.failed')} error={error} onRetry={() => void refetch()} />;
  }
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen({ action: 'create' })}>
      {t('lookupTables.create')}
    </Button>
  );
  return (
    <div className={classes.list}>
      {tables?.length !== 0 ? <PageAction>{create}</PageAction> : null}
      <DataTable
        label={t('lookupTables.title')}
        name="lookup-tables"
        columns={columns}
        rows={tables}
        rowId={idOf}
        sort={address.sort}
        onSort={address.setSort}
        narrow={narrow}
        onOpen={(table) => setOpen({ action: 'change', table })}
        find={{ label: t('lookupTables.search'), q: address.q, setQ: address.setQ }}
        actions={menuOf}
        empty={
          <EmptyState title={t('lookupTables.none')} text={t('lookupTables.noneText')}>
            {create}
          </EmptyState>
        }
      />
      {open?.action === 'create' ? <LookupTableDialog table={null} onClose={close} /> : null}
      {open?.action === 'change' ? <LookupTableDialog table={open.table} onClose={close} /> : null}
      {open?.action === 'remove' ? (
        <ConfirmDialog
          onClose={close}
          onConfirm={async () => {
            await removeLookupTable(wg, open.table._id);
            notifyDone(t('lookupTables.removed', { name: open.table.name }));
          }}
        >
          {t('lookupTables.removeText', { name: open.table.name })}
        </ConfirmDialog>
      ) : null}
    </div>
  );
}

function columnsOf(t: TFunction): Column<LookupTable>[] {
  return [
    { id: 'name', title: t('lookupTables.name'), value: (row) => row.name, width: 280, isFixed: true },
    { id: 'code', title: t('lookupTables.code'), value: (row) => row.code, width: 200 },
    { id: 'explains', title: t('lookupTables.explains'), value: explained, width: 260 },
    {
      id: 'fields',
      title: t('lookupTables.fields'),
      value: (row) => row.fields.map(({ name }) => name).join(', '),
      width: 220,
    },
    {
      id: 'values',
      title: t('lookupTables.values'),
      value: (row) => row.values.length,
      cell: (row) => formatWhole(row.values.length),
      align: 'right',
      width: 100,
    },
  ];
}

/** The fields of the data that the table has words for. */
const explained = ({ values }: LookupTable): string =>
  [...new Set(values.flatMap(({ field }) => field ?? []))].join(', ');

function NarrowTable({ table }: { table: LookupTable }) {
  const { t } = useTranslation();
  return (
    <NarrowRow title={table.name}>
      {[explained(table), t('lookupTables.valueCount', { count: table.values.length })]
        .filter(Boolean)
        .join(' · ')}
    </NarrowRow>
  );
}
