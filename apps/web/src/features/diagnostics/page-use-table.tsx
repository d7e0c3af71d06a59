import { USE_DAYS } from '@albedo/contract/diagnostics/diagnostics.names';
import type { PagesByUse } from '@albedo/contract/diagnostics/diagnostics.schema';
import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { useSearchChange, useTableAddress } from '../../ui/data-table/use-table-address.ts';
import { DayBars } from '../../ui/day-bars.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { formatDuration } from '../../ui/units/durations.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import { pagesQuery } from './browser-errors.ts';
import classes from './diagnostics.module.css';
import { WorkgroupChoice } from './workgroup-choice.tsx';

type Days = (typeof USE_DAYS)[number];
/** How a page or a workgroup was used. */
type Row = Omit<PagesByUse['pages'][number], 'page'> & { name: string };

const BY = ['page', 'workgroup'] as const;
const nameOf = (row: Row): string => row.name;

/** Which pages people use, and in which workgroups, for the staff. */
export function PageUseTable() {
  const { t } = useTranslation();
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const change = useSearchChange();
  const address = useTableAddress('-visits');
  const days: Days = USE_DAYS.find((choice) => choice === String(search.days)) ?? '30';
  const by = BY.find((choice) => choice === search.by) ?? 'page';
  const workgroup = search.workgroup === undefined ? null : String(search.workgroup);
  const { data, error, refetch } = useQuery(pagesQuery(days, workgroup));
  const rows = useMemo(() => data && rowsOf(data, by), [data, by]);
  const columns = useMemo(() => columnsOf(by, t), [by, t]);
  if (error && !data)
    return <ErrorState title={t('diagnostics.pagesFailed')} error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <Sum data={data} />
      <DataTable
        rows={rows}
        rowId={nameOf}
        label={t('opsteam.tabs.pages')}
        name="pages-by-use"
        columns={columns}
        sort={address.sort}
        onSort={address.setSort}
        find={{ label: t('diagnostics.searchPages'), q: address.q, setQ: address.setQ }}
        narrow={(row) => <NarrowUse row={row} />}
        empty={<EmptyState title={t('diagnostics.noPages')} text={t('diagnostics.noPagesText')} />}
        toolbar={
          <>
            <SegmentedControl
              aria-label={t('diagnostics.by')}
              value={by}
              onChange={(next) =>
                change({ by: next === 'page' ? undefined : next, sort: undefined, q: undefined })
              }
              data={BY.map((value) => ({ value, label: t(`diagnostics.bys.${value}`) }))}
            />
            <SegmentedControl
              aria-label={t('diagnostics.span')}
              value={days}
              onChange={(next) => change({ days: next === '30' ? undefined : next })}
              data={USE_DAYS.map((value) => ({
                value,
                label: t('diagnostics.lastDays', { count: Number(value) }),
              }))}
            />
            <WorkgroupChoice
              names={data?.workgroups.map(({ workgroup }) => workgroup) ?? []}
              value={workgroup}
            />
          </>
        }
      />
    </>
  );
}

/** The totals. */
function Sum({ data }: { data: PagesByUse | undefined }) {
  const { t } = useTranslation();
  const { visits = 0, people = 0, seconds = 0, days = [] } = data?.all ?? {};
  const figures = [
    ['visits', formatWhole(visits)],
    ['people', formatWhole(people)],
    ['time', formatDuration(seconds * 1000)],
  ] as const;
  return (
    <div className={classes.sum}>
      <dl className={classes.figures}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{t(`diagnostics.${name}`)}</dt>
            <dd>{data ? value : '\u00a0'}</dd>
          </div>
        ))}
      </dl>
      <div className={classes.sumBars}>
        <DayBars days={days} height={44} label={t('diagnostics.visitsByDay')} />
      </div>
    </div>
  );
}

const rowsOf = ({ pages, workgroups }: PagesByUse, by: (typeof BY)[number]): Row[] =>
  by === 'page'
    ? pages.map(({ page: name, ...use }) => ({ name, ...use }))
    : workgroups.map(({ workgroup: name, ...use }) => ({ name, ...use }));

function columnsOf(by: (typeof BY)[number], t: TFunction): Column<Row>[] {
  return [
    {
      id: 'name',
      title: t(`diagnostics.${by}`),
      value: nameOf,
      cell: (row) => (by === 'page' ? <code className={classes.page}>{row.name}</code> : row.name),
      width: 360,
      isFixed: true,
    },
    {
      id: 'days',
      title: t('diagnostics.visitsByDay'),
      value: (row) => row.visits,
      text: (row) => row.days.join(' '),
      cell: (row) => <DayBars days={row.days} label={t('diagnostics.visitsByDay')} width={150} height={20} />,
      isUnsorted: true,
      width: 180,
      importance: 1,
    },
    { id: 'visits', title: t('diagnostics.visits'), value: (row) => row.visits, align: 'right', width: 110 },
    {
      id: 'people',
      title: t('diagnostics.people'),
      value: (row) => row.people,
      align: 'right',
      width: 110,
      importance: 3,
    },
    {
      id: 'seconds',
      title: t('diagnostics.time'),
      value: (row) => row.seconds,
      units: 's',
      cell: (row) => formatDuration(row.seconds * 1000),
      align: 'right',
      width: 130,
      importance: 2,
    },
  ];
}

function NarrowUse({ row }: { row: Row }) {
  const { t } = useTranslation();
  const people = t('diagnostics.peopleCount', { count: row.people, number: formatWhole(row.people) });
  const visits = t('diagnostics.visitCount', { count: row.visits, number: formatWhole(row.visits) });
  return (
    <NarrowRow title={row.name}>
      {visits} · {people} · {formatDuration(row.seconds * 1000)}
    </NarrowRow>
  );
}
