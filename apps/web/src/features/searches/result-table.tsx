import type { FieldFilter } from '@albedo/contract/telemetry/search.schema';
import type { TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { Button } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { formatWhole } from '../../ui/units/numbers.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { useWords } from '../lookup-tables/lookup-tables.queries.ts';
import { type CellText, cellText } from './cell-text.ts';
import { FieldsPopover } from './fields-popover.tsx';
import { type Found, recordId, zoneOf } from './found.ts';
import { RecordDrawer } from './record-drawer.tsx';
import type { ResultProps } from './result.ts';
import classes from './searches.module.css';

interface ResultTableProps extends ResultProps {
  records: Found[] | undefined;
  total: number | undefined;
  /** The rows are those of the question before. */
  isRefreshing: boolean;
  onSort: (sort: string) => void;
  /** Asks for more rows; null where there are no more. */
  onMore: (() => void) | null;
}

/** What nobody looks for first. */
const OF_THE_CLOUD: readonly string[] = ['msg_id', 'store_time'];
const KEYS: readonly string[] = ['event_time', 'device', 'source'];

/** The records themselves; a click on one shows everything that it has. */
export function ResultTable(props: ResultTableProps) {
  const { run, draft, info, records, total, isRefreshing, onChange, onSort, onMore } = props;
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const zone = zoneOf(run.draft);
  const text = useCellText(wg, info, zone);
  // It stays open while other records come in its place.
  const [open, setOpen] = useState<Found | null>(null);
  const names = useMemo(() => (info?.fields ?? []).map(({ name }) => name), [info]);
  const shown = useMemo(
    () =>
      draft.fields.length > 0
        ? draft.fields
        : [...KEYS, ...names.filter((name) => !KEYS.includes(name) && !OF_THE_CLOUD.includes(name))],
    [draft.fields, names],
  );
  const columns = useMemo(() => columnsOf(shown, info, text), [shown, info, text]);
  const narrow = useCallback(
    (row: Found) => <NarrowFound row={row} fields={shown} text={text} />,
    [shown, text],
  );
  const at = open ? (records?.findIndex((row) => recordId(row) === recordId(open)) ?? -1) : -1;
  const beside = (step: number) => (at < 0 ? undefined : records?.[at + step]);
  const [before, after] = [beside(-1), beside(1)];
  const addFilter = (filter: FieldFilter) => onChange({ filters: [...draft.filters, filter] });

  return (
    <div className={classes.result} data-is-stale={isRefreshing}>
      <DataTable
        label={t('searches.records')}
        name={`search-${run.draft.table}`}
        columns={columns}
        hasOwnColumns
        rows={info ? records : undefined}
        rowId={recordId}
        sort={draft.sort}
        onSort={(sort) => onSort(sort ?? '-event_time')}
        onOpen={setOpen}
        narrow={narrow}
        toolbar={
          <FieldsPopover
            label={t('searches.columns')}
            icon={<IconColumns3 size={15} />}
            fields={names}
            chosen={draft.fields}
            none={t('searches.all')}
            onChange={(fields) => onChange({ fields })}
          />
        }
        empty={<EmptyState title={t('searches.nothing')} text={t('searches.nothingText')} />}
      />
      {records && total !== undefined && total > records.length ? (
        <div className={classes.more}>
          <span>{t('searches.shown', { count: records.length, total: formatWhole(total) })}</span>
          {onMore ? (
            <Button variant="default" size="xs" loading={isRefreshing} onClick={onMore}>
              {t('searches.showMore')}
            </Button>
          ) : null}
        </div>
      ) : null}
      {open ? (
        <RecordDrawer
          row={open}
          info={info}
          text={text}
          zone={zone}
          onFilter={addFilter}
          onBefore={before ? () => setOpen(before) : null}
          onAfter={after ? () => setOpen(after) : null}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </div>
  );
}

/** How values are shown: devices by their names, codes by their words, instants in the zone. */
function useCellText(wg: string, info: TableInfo | undefined, zone: string): CellText {
  const { data: devices } = useQuery(deviceListQuery(wg));
  const words = useWords(wg);
  const names = useMemo(() => new Map((devices ?? []).map(({ id, name }) => [id, name])), [devices]);
  return useMemo(() => cellText({ info, names, words, zone }), [info, names, words, zone]);
}

const TIMES: readonly string[] = ['event_time', 'store_time'];
const NUMBERS: readonly string[] = ['decimal', 'integer'];

function columnsOf(shown: readonly string[], info: TableInfo | undefined, text: CellText): Column<Found>[] {
  return shown.map((name) => {
    const field = info?.fields.find((one) => one.name === name);
    const isNumber = NUMBERS.includes(field?.type ?? '');
    return {
      id: name,
      title: name,
      value: (row) => (name === 'device' ? text(name, row) : (row[name] ?? null)),
      text: (row) => text(name, row),
      cell: (row) => text(name, row),
      width: WIDTHS[name] ?? (isNumber ? 130 : 160),
      ...(field?.type === 'date' || TIMES.includes(name) ? { isTime: true } : {}),
      ...(isNumber ? { units: field?.units ?? '' } : {}),
      ...(name === 'device'
        ? { beside: { title: 'device id', value: (row: Found) => row.device ?? null } }
        : {}),
      ...(isNumber ? { align: 'right' as const } : {}),
    };
  });
}

const WIDTHS: Readonly<Record<string, number>> = {
  event_time: 190,
  store_time: 190,
  device: 190,
  source: 180,
};

function NarrowFound({ row, fields, text }: { row: Found; fields: readonly string[]; text: CellText }) {
  const { t } = useTranslation();
  return (
    <NarrowRow title={`${text('event_time', row)} · ${text('device', row)}`}>
      {summary(t, row, fields, text)}
    </NarrowRow>
  );
}

function summary(t: TFunction, row: Found, fields: readonly string[], text: CellText): string {
  const parts = fields
    .filter((name) => !KEYS.includes(name) && row[name] !== null && row[name] !== undefined)
    .slice(0, 3)
    .map((name) => `${name} ${text(name, row)}`);
  return [text('source', row), ...parts].join(' · ') || t('searches.nothing');
}
