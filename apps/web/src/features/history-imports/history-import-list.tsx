import type { HistoryImport } from '@albedo/contract/history-imports/history-imports.schema';
import { Button } from '@mantine/core';
import { IconArrowBackUp, IconFileImport, IconListDetails, IconTrash } from '@tabler/icons-react';
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
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatDay } from '../../ui/time-range/zoned-time.ts';
import { agoText } from '../../ui/units/durations.ts';
import { formatWhole, NO_VALUE } from '../../ui/units/numbers.ts';
import { formatBytes } from '../../ui/units/units.ts';
import { faultCounts } from './fault-texts.tsx';
import classes from './history-imports.module.css';
import { historyImportsQuery, removeHistory, undoHistory } from './history-imports.queries.ts';
import { HistoryResult } from './history-result.tsx';
import { PlanDialog } from './plan-dialog.tsx';
import { SendDialog } from './send-dialog.tsx';

const idOf = ({ _id }: HistoryImport): string => _id;

/** Files of history and what became of them, a tab of Admin > Data. */
export function HistoryImportList() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(30_000);
  const list = useList({ query: historyImportsQuery(wg), sort: '-createdAt' });
  const [isSending, setSending] = useState(false);
  const [planned, setPlanned] = useState<HistoryImport | null>(null);
  const columns = useMemo(() => columnsOf(t, now), [t, now]);
  const menu = useMemo(
    () => ({
      label: ({ name }: HistoryImport) => t('historyImports.menu', { name }),
      actions: (row: HistoryImport) => actionsOf(t, wg, row),
    }),
    [t, wg],
  );
  const create = (
    <Button leftSection={<IconFileImport size={16} />} onClick={() => setSending(true)}>
      {t('historyImports.create')}
    </Button>
  );
  return (
    <>
      {list.error || list.all?.length === 0 ? null : <PageAction>{create}</PageAction>}
      <ListTable
        list={list}
        label={t('historyImports.title')}
        failed={t('historyImports.failed')}
        name="history-imports"
        columns={columns}
        rowId={idOf}
        search={t('historyImports.search')}
        Narrow={NarrowImport}
        menu={menu}
        onOpen="open"
        empty={
          <EmptyState title={t('historyImports.none')} text={t('historyImports.noneText')}>
            {create}
          </EmptyState>
        }
      />
      {isSending ? (
        <SendDialog
          onSent={(sent) => {
            setSending(false);
            setPlanned(sent);
          }}
          onClose={() => setSending(false)}
        />
      ) : null}
      {planned ? <PlanDialog file={planned} onClose={() => setPlanned(null)} /> : null}
    </>
  );
}

function actionsOf(t: TFunction, wg: string, row: HistoryImport): RowAction<HistoryImport>[] {
  const { _id, name, state, counts } = row;
  const actions: RowAction<HistoryImport>[] = [
    state === 'ready'
      ? {
          id: 'open',
          title: t('historyImports.plan'),
          icon: <IconFileImport size={16} />,
          dialog: (one, { close }) => <PlanDialog file={one} onClose={close} />,
        }
      : {
          id: 'open',
          title: t('historyImports.details'),
          icon: <IconListDetails size={16} />,
          dialog: (one, { close }) => <HistoryResult file={one} onClose={close} />,
        },
  ];
  if (state === 'done' || state === 'cancelled' || state === 'failed')
    actions.push({
      id: 'undo',
      title: t('historyImports.undo'),
      icon: <IconArrowBackUp size={16} />,
      isDangerous: true,
      ask: {
        text: t('historyImports.undoText', {
          name,
          count: counts.stored,
          events: formatWhole(counts.stored),
        }),
      },
      run: async () => {
        await undoHistory(wg, _id);
        notifyDone(t('historyImports.undoing', { name }));
      },
    });
  if (state === 'uploading' || state === 'ready' || state === 'undone')
    actions.push({
      id: 'remove',
      title: t('historyImports.remove'),
      icon: <IconTrash size={16} />,
      isDangerous: true,
      ask: { text: t('historyImports.removeText', { name }) },
      run: async () => {
        await removeHistory(wg, _id);
        notifyDone(t('historyImports.removed', { name }));
      },
    });
  return actions;
}

function columnsOf(t: TFunction, now: number): Column<HistoryImport>[] {
  return [
    { id: 'name', title: t('historyImports.name'), value: (row) => row.name, width: 240, isFixed: true },
    {
      id: 'state',
      title: t('historyImports.state'),
      value: (row) => stateText(t, row),
      cell: (row) => (
        <span className={row.state === 'failed' ? classes.failed : undefined} title={stateText(t, row)}>
          {stateText(t, row)}
        </span>
      ),
      width: 260,
      importance: 6,
    },
    {
      id: 'table',
      title: t('historyImports.table'),
      value: ({ plan }) => (plan ? (plan.tableColumn ?? plan.mapping.table) : NO_VALUE),
      width: 140,
      importance: 5,
    },
    {
      id: 'times',
      title: t('historyImports.times'),
      value: (row) => row.firstAt ?? null,
      isTime: true,
      cell: (row) => timesText(row),
      width: 200,
      importance: 4,
    },
    { id: 'by', title: t('historyImports.by'), value: (row) => row.by, width: 160, importance: 1 },
    {
      id: 'createdAt',
      title: t('historyImports.createdAt'),
      value: (row) => row.createdAt,
      isTime: true,
      cell: (row) => agoText(row.createdAt, now),
      width: 140,
      importance: 2,
    },
  ];
}

function timesText({ firstAt, lastAt }: HistoryImport): string {
  if (firstAt === null || lastAt === null) return NO_VALUE;
  const zone = userZone();
  return `${formatDay(firstAt, zone)} – ${formatDay(lastAt, zone)}`;
}

function stateText(t: TFunction, { state, counts, error, received, bytes }: HistoryImport): string {
  if (state === 'uploading')
    return t('historyImports.states.uploading', { sent: formatBytes(received), size: formatBytes(bytes) });
  if (state === 'failed') return error ?? t('historyImports.states.failed');
  const { records, stored, faulty, values } = counts;
  const text = t(`historyImports.states.${state}`, {
    records: formatWhole(records),
    count: stored,
    events: formatWhole(stored),
  });
  return state === 'done' ? [text, ...faultCounts(t, { faulty, values })].join(', ') : text;
}

function NarrowImport({ row }: { row: HistoryImport }) {
  const { t } = useTranslation();
  return <NarrowRow title={row.name}>{stateText(t, row)}</NarrowRow>;
}
