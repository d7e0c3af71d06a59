import type { BrowserError } from '@albedo/contract/diagnostics/diagnostics.schema';
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterControl } from '../../app/list/filter-control.tsx';
import { ListTable } from '../../app/list/list-table.tsx';
import { type ListFilter, useList } from '../../app/list/use-list.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { useSearchChange } from '../../ui/data-table/use-table-address.ts';
import { DayBars } from '../../ui/day-bars.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import { BrowserErrorDrawer } from './browser-error-drawer.tsx';
import { browserErrorsQuery } from './browser-errors.ts';
import classes from './diagnostics.module.css';
import { ErrorState } from './error-state.tsx';
import { WorkgroupChoice } from './workgroup-choice.tsx';

const STATES = ['open', 'resolved', 'all'] as const;
type Shown = (typeof STATES)[number];
const byState: ListFilter<BrowserError, Shown> = {
  param: 'state',
  values: STATES,
  matches: ({ state }, value) => value === 'all' || (state === 'resolved') === (value === 'resolved'),
};

const idOf = (row: BrowserError): string => row.id;
const timeText = (at: number): string => formatInstant(at, userZone(), false);

/** Errors in browsers, of all workgroups, for the staff. */
export function BrowserErrorTable() {
  const { t } = useTranslation();
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const change = useSearchChange();
  const [version, workgroup, error] = [
    textIn(search.version),
    textIn(search.workgroup),
    textIn(search.error),
  ];
  const list = useList({ query: browserErrorsQuery(version, workgroup), sort: '-lastAt', filter: byState });
  const columns = useMemo(() => columnsOf(t), [t]);
  const open = useCallback((row: BrowserError) => change({ error: row.id }), [change]);
  return (
    <>
      <ListTable
        list={list}
        label={t('opsteam.tabs.errors')}
        failed={t('diagnostics.errorsFailed')}
        name="browser-errors"
        columns={columns}
        rowId={idOf}
        search={t('diagnostics.searchErrors')}
        Narrow={NarrowError}
        onOpen={open}
        toolbar={
          <>
            <FilterControl
              list={list}
              values={STATES}
              label={t('diagnostics.state')}
              titleOf={(value) => t(`diagnostics.states.${value}`)}
            />
            <Choices version={version} workgroup={workgroup} />
          </>
        }
        empty={<EmptyState title={t('diagnostics.noErrors')} text={t('diagnostics.noErrorsText')} />}
      />
      {error === null ? null : <BrowserErrorDrawer id={error} onClose={() => change({ error: undefined })} />}
    </>
  );
}

/** Texts in an address may parse as numbers, such as versions. */
const textIn = (value: unknown): string | null =>
  value === undefined || value === null || value === '' ? null : String(value);

/** Choices of a version and of a workgroup. */
function Choices({ version, workgroup }: { version: string | null; workgroup: string | null }) {
  const { t } = useTranslation();
  const change = useSearchChange();
  const { data: all = [] } = useQuery(browserErrorsQuery(null, null));
  const namesIn = (key: 'versions' | 'workgroups', chosen: string | null) =>
    [...new Set([...all.flatMap((error) => error[key]), ...(chosen ? [chosen] : [])])].toSorted((a, b) =>
      a.localeCompare(b, undefined, { numeric: true }),
    );
  return (
    <>
      <Select
        aria-label={t('diagnostics.version')}
        placeholder={t('diagnostics.anyVersion')}
        data={namesIn('versions', version).toReversed()}
        value={version}
        onChange={(next) => change({ version: next ?? undefined })}
        clearable
        clearButtonProps={{ 'aria-label': t('diagnostics.anyVersion') }}
        className={classes.choice ?? ''}
      />
      <WorkgroupChoice names={namesIn('workgroups', workgroup)} value={workgroup} />
    </>
  );
}

function columnsOf(t: TFunction): Column<BrowserError>[] {
  const names = (values: readonly string[]) => values.join(', ');
  return [
    {
      id: 'message',
      title: t('diagnostics.message'),
      value: (row) => row.message,
      text: (row) => (row.place ? `${row.message} (${row.place})` : row.message),
      cell: (row) => (
        <span className={classes.says}>
          <span className={classes.message}>{row.message}</span>
          {row.place ? <span className={classes.place}>{row.place}</span> : null}
        </span>
      ),
      width: 420,
      isFixed: true,
    },
    {
      id: 'state',
      title: t('diagnostics.state'),
      value: (row) => row.state,
      text: (row) => t(`diagnostics.states.${row.state}`),
      cell: (row) => <ErrorState error={row} />,
      width: 200,
      importance: 4,
    },
    {
      id: 'count',
      title: t('diagnostics.count'),
      value: (row) => row.count,
      cell: (row) => (
        <span className={classes.counted}>
          <DayBars days={row.days} label={barsText(row, t)} width={110} height={20} />
          <span>{formatWhole(row.count)}</span>
        </span>
      ),
      width: 200,
      importance: 5,
    },
    {
      id: 'workgroups',
      title: t('diagnostics.workgroups'),
      value: (row) => names(row.workgroups),
      width: 150,
      importance: 2,
    },
    {
      id: 'versions',
      title: t('diagnostics.versions'),
      value: (row) => names(row.versions),
      width: 130,
      importance: 1,
    },
    {
      id: 'browsers',
      title: t('diagnostics.browsers'),
      value: (row) => names(row.browsers),
      width: 160,
      isHidden: true,
    },
    {
      id: 'firstAt',
      title: t('diagnostics.firstAt'),
      value: (row) => row.firstAt,
      isTime: true,
      text: (row) => timeText(row.firstAt),
      width: 160,
      isHidden: true,
    },
    {
      id: 'lastAt',
      title: t('diagnostics.lastAt'),
      value: (row) => row.lastAt,
      isTime: true,
      text: (row) => timeText(row.lastAt),
      width: 160,
      importance: 3,
    },
  ];
}

const barsText = ({ days }: BrowserError, t: TFunction): string =>
  t('diagnostics.bars', {
    count: days.length,
    sum: formatWhole(days.reduce((sum, count) => sum + count, 0)),
    today: formatWhole(days.at(-1)),
  });

function NarrowError({ row }: { row: BrowserError }) {
  const { t } = useTranslation();
  return (
    <NarrowRow title={row.message}>
      {formatWhole(row.count)} · {t(`diagnostics.states.${row.state}`)} · {timeText(row.lastAt)}
    </NarrowRow>
  );
}
