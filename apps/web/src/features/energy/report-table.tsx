import type { EnergyReport, ReportColumn, ReportRow } from '@albedo/contract/energy/energy.schema';
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { type ReactNode, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '../../app/notify.ts';
import { useWork } from '../../app/use-submit.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { useTableAddress } from '../../ui/data-table/use-table-address.ts';
import { EmptyState } from '../../ui/states.tsx';
import { NO_VALUE } from '../../ui/units/numbers.ts';
import { formatValue } from '../../ui/units/units.ts';
import { dayText } from './day-range.ts';
import classes from './energy.module.css';
import {
  columnHint,
  columnTitle,
  Figure,
  figuresAlike,
  figureText,
  isText,
  numberOf,
  reasonsIn,
  sideOf,
} from './figures.tsx';

interface ReportTableProps {
  report: EnergyReport;
  isRefreshing: boolean;
  onOpen: (row: ReportRow) => void;
  /** The last cell of a row. Has to be the same function over time. */
  actions: (row: ReportRow) => ReactNode;
  onDownload: () => Promise<void>;
}

/** The rows of a report; one leads to what stands below it. */
export function ReportTable({ report, isRefreshing, onOpen, actions, onDownload }: ReportTableProps) {
  const { t } = useTranslation();
  const address = useTableAddress();
  const { columns: given, rows } = report;
  const columns = useMemo(() => columnsOf(t, given, rows), [t, given, rows]);
  const narrow = useCallback((row: ReportRow) => <Narrow row={row} columns={given} />, [given]);
  const { isWorking, work } = useWork((error) => notifyFailure(t('energy.downloadFailed'), error));
  const reasons = useMemo(() => reasonsIn(rows), [rows]);
  return (
    <div className={classes.table} data-is-stale={isRefreshing}>
      <DataTable
        label={t(`energy.listed.${report.listed}`)}
        name={`report-${report.report}-${report.listed}`}
        columns={columns}
        rows={rows}
        rowId={idOf}
        sort={address.sort}
        onSort={address.setSort}
        find={{ label: t('energy.search'), q: address.q, setQ: address.setQ }}
        narrow={narrow}
        onOpen={onOpen}
        actions={actions}
        empty={<EmptyState title={t('energy.noRows')} text={t('energy.noRowsText')} />}
        download={
          <Tooltip label={t('energy.download')}>
            <ActionIcon
              variant="default"
              size={32}
              aria-label={t('energy.download')}
              loading={isWorking}
              onClick={() => void work(onDownload)}
            >
              <IconDownload size={17} />
            </ActionIcon>
          </Tooltip>
        }
      />
      {reasons.length > 0 ? (
        <ul className={classes.reasons} aria-label={t('energy.whyDashes')}>
          {reasons.map(([reason, count]) => (
            <li key={reason}>
              <b>{t('energy.figures', { count })}</b> {t(`energy.reasons.${reason}`)}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

export const idOf = ({ scope, level, day, values }: ReportRow): string =>
  `${level} ${scope} ${day ?? ''} ${values.rule ?? ''}`;

/** What a row is called: days by the calendar, all else by its name. */
export const nameOf = ({ level, name, day }: ReportRow): string =>
  level === 'day' && day !== null ? dayText(day) : name;

function columnsOf(
  t: TFunction,
  given: readonly ReportColumn[],
  rows: readonly ReportRow[],
): Column<ReportRow>[] {
  const hasDay = rows.some(({ level, day }) => level === 'finding' && day !== null);
  return [
    {
      id: 'name',
      title: t('energy.columns.name'),
      value: (row) => (row.level === 'day' ? (row.day ?? row.name) : row.name),
      text: nameOf,
      cell: (row) => <span className={classes.name}>{nameOf(row)}</span>,
      width: 220,
      isFixed: true,
    },
    ...(hasDay
      ? [
          {
            id: 'day',
            title: t('energy.columns.day'),
            value: (row: ReportRow) => row.day,
            text: (row: ReportRow) => (row.day === null ? NO_VALUE : dayText(row.day)),
            width: 120,
          },
        ]
      : []),
    ...given
      // What findings measure has a unit of its own in each row.
      .filter(({ key }) => key !== 'unit')
      .map((column, at) => columnOf(column, rows, given.length - at)),
  ];
}

/** Numbers of a column have one step, which stands in its title. */
function columnOf(column: ReportColumn, rows: readonly ReportRow[], importance: number): Column<ReportRow> {
  const { key, kind } = column;
  const shown = figuresAlike(
    column,
    rows.map(({ values }) => values[key]),
  );
  const byRow = new Map(rows.map((row, at) => [row, shown[at]]));
  const unit = shown.find(({ unit: one }) => one !== '')?.unit ?? '';
  const name = columnTitle(key);
  const title = unit === '' ? name : `${name} (${unit})`;
  const hint = columnHint(key);
  const text = (row: ReportRow) =>
    typeof row.values.unit === 'string'
      ? findingText(column, row)
      : (byRow.get(row)?.number ?? figureText(column, row.values[key]));
  return {
    id: key,
    title,
    value: ({ values }) => (isText(kind) ? (values[key] ?? null) : numberOf(column, values[key])),
    text,
    cell: (row) => (
      <Figure
        text={text(row)}
        reason={row.reasons[key]}
        curtailedHours={row.curtailedHours}
        side={sideOf(column, row.values)}
      />
    ),
    ...(hint ? { hint } : {}),
    width: isText(kind) ? 180 : Math.max(110, 28 + title.length * 7.5),
    ...(isText(kind) ? {} : { align: 'right' as const }),
    importance,
  };
}

/** A figure of a finding, in the unit of its rule. */
function findingText(column: ReportColumn, { values }: ReportRow): string {
  const value = values[column.key];
  return typeof value === 'number' ? formatValue(value, String(values.unit)) : figureText(column, value);
}

/** Figures that have room in the second line of a narrow row. */
const MOST_NARROW = 3;

function Narrow({ row, columns }: { row: ReportRow; columns: readonly ReportColumn[] }) {
  const shown = columns.filter(({ key }) => row.values[key] !== null && row.values[key] !== undefined);
  const first = (shown.length > 0 ? shown : columns).slice(0, MOST_NARROW);
  return (
    <NarrowRow title={row.level === 'finding' && row.day ? `${row.name} · ${dayText(row.day)}` : nameOf(row)}>
      {first.map((column, at) => (
        <span key={column.key}>
          {at > 0 ? ' · ' : ''}
          {columnTitle(column.key)}{' '}
          <Figure
            text={
              typeof row.values.unit === 'string'
                ? findingText(column, row)
                : figureText(column, row.values[column.key])
            }
            reason={row.reasons[column.key]}
            curtailedHours={row.curtailedHours}
            side={sideOf(column, row.values)}
          />
        </span>
      ))}
    </NarrowRow>
  );
}
