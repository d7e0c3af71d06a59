import { fieldWords } from '@albedo/contract/data-tables/data-tables.schema';
import { TextInput } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { notifyDone } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { NO_VALUE } from '../../ui/units/numbers.ts';
import { type FieldRow, fieldsQuery, setFieldWords } from './data-tables.queries.ts';
import classes from './storage.module.css';

const idOf = ({ field }: FieldRow): string => field;

/** The fields of one table, with what people call them. */
export function FieldList({ table }: { table: string }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(60_000);
  const list = useList({ query: fieldsQuery(wg, table), sort: 'field' });
  const columns = useMemo(() => columnsOf(t, now), [t, now]);
  const menu = useMemo(
    () => ({
      label: ({ field }: FieldRow) => t('dataTables.fieldMenu', { field }),
      actions: () => [
        {
          id: 'name',
          title: t('dataTables.nameField'),
          icon: <IconPencil size={16} />,
          dialog: (row: FieldRow, { close }: { close: () => void }) => (
            <FieldDialog table={table} row={row} onClose={close} />
          ),
        },
      ],
    }),
    [t, table],
  );
  return (
    <div className={classes.fields}>
      <ListTable
        list={list}
        label={t('dataTables.fields')}
        failed={t('dataTables.fieldsFailed')}
        name="data-fields"
        columns={columns}
        rowId={idOf}
        search={t('dataTables.searchFields')}
        Narrow={NarrowField}
        menu={menu}
        onOpen="name"
        empty={<EmptyState title={t('dataTables.noFields')} />}
      />
    </div>
  );
}

const typesText = (t: TFunction, { types }: FieldRow): string =>
  types.map((type) => t(`dataTables.types.${type}`)).join(', ');

function columnsOf(t: TFunction, now: number): Column<FieldRow>[] {
  return [
    { id: 'field', title: t('dataTables.field'), value: idOf, width: 220, isFixed: true },
    {
      id: 'displayName',
      title: t('dataTables.displayName'),
      value: ({ displayName }) => displayName,
      width: 180,
      importance: 3,
    },
    {
      id: 'units',
      title: t('dataTables.units'),
      value: ({ ownUnits, units }) => ownUnits ?? units,
      width: 90,
      importance: 5,
    },
    {
      id: 'types',
      title: t('dataTables.type'),
      value: (row) => typesText(t, row),
      cell: (row) =>
        row.types.length > 1 ? (
          <span className={classes.conflict} title={t('dataTables.conflict')}>
            {typesText(t, row)}
          </span>
        ) : (
          typesText(t, row)
        ),
      width: 160,
      importance: 4,
    },
    {
      id: 'lastAt',
      title: t('dataTables.last'),
      value: ({ lastAt }) => lastAt,
      isTime: true,
      text: ({ lastAt }) => (lastAt === null ? '' : new Date(lastAt).toISOString()),
      cell: ({ lastAt }) => (lastAt === null ? NO_VALUE : agoText(lastAt, now)),
      width: 150,
      importance: 2,
    },
    {
      id: 'sources',
      title: t('dataTables.sources'),
      value: ({ sources }) => sources.join(', '),
      width: 240,
      importance: 1,
    },
  ];
}

function NarrowField({ row }: { row: FieldRow }) {
  const { t } = useTranslation();
  return (
    <NarrowRow title={row.displayName ?? row.field}>
      {[row.field, row.ownUnits ?? row.units, typesText(t, row)].filter(Boolean).join(' · ')}
    </NarrowRow>
  );
}

const named = fieldWords.pick({ displayName: true, units: true });
const orNull = (text: string): string | null => (text.trim() === '' ? null : text);

function FieldDialog(of: { table: string; row: FieldRow; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { table, row, onClose } = of;
  const { values, set, field, dialog } = useContractForm({
    schema: named,
    initial: { displayName: row.displayName, units: row.ownUnits },
    send: async (words) => {
      await setFieldWords(wg, { table, field: row.field, ...words });
      notifyDone(t('dataTables.named', { field: row.field }));
      onClose();
    },
  });
  return (
    <FormDialog {...dialog} title={t('dataTables.nameTitle', { field: row.field })} onClose={onClose}>
      <TextInput
        {...field('displayName')}
        value={values.displayName ?? ''}
        onChange={({ currentTarget }) => set({ displayName: orNull(currentTarget.value) })}
        data-autofocus
        label={t('dataTables.displayName')}
        placeholder={row.field}
        maxLength={80}
      />
      <TextInput
        {...field('units')}
        value={values.units ?? ''}
        onChange={({ currentTarget }) => set({ units: orNull(currentTarget.value) })}
        label={t('dataTables.units')}
        description={t('dataTables.unitsHelp')}
        placeholder={row.units ?? ''}
        maxLength={40}
      />
    </FormDialog>
  );
}
