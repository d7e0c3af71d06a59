import { ANALYSIS_FUNCTIONS } from '@albedo/contract/searches/searches.schema';
import { Select, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { ChartSkeleton } from '../../ui/skeletons.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { resolveRange } from '../../ui/time-range/time-range.ts';
import { formatDay, formatInstant } from '../../ui/time-range/zoned-time.ts';
import type { ChartSeries } from '../../ui/time-series-chart/series-data.ts';
import { TimeSeriesChart } from '../../ui/time-series-chart/time-series-chart.tsx';
import { NO_VALUE } from '../../ui/units/numbers.ts';
import { formatValue } from '../../ui/units/units.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { frameOf, pointsOf, type Sample } from './chart-points.ts';
import { baseQuery, dateFields, type Found, numericFields, zoneOf } from './found.ts';
import type { ResultProps } from './result.ts';
import type { Analysis } from './search-draft.ts';
import classes from './searches.module.css';
import { recordsQuery } from './searches.queries.ts';

const VALUE = 'value';
/** What counts has no unit of the field. */
const UNITLESS: readonly string[] = ['count', 'cardinality'];

/** A statistic of one field by day or hour. */
export function ResultAnalysis({ run, draft, info, onChange }: ResultProps) {
  const { t } = useTranslation();
  const { analysis } = draft;
  const asked = run.draft.analysis;
  const set = (change: Partial<Analysis>) => onChange({ analysis: { ...analysis, ...change } });
  const isChosen = analysis.enabled && analysis.field !== null;
  return (
    <div className={classes.panel}>
      <div className={classes.options}>
        <Switch
          label={t('searches.enable')}
          checked={analysis.enabled}
          disabled={analysis.field === null}
          onChange={(event) => set({ enabled: event.currentTarget.checked })}
        />
        <Select
          label={t('searches.field')}
          searchable
          allowDeselect={false}
          placeholder={t('searches.numeric')}
          value={analysis.field}
          data={numericFields(info)}
          onChange={(field) => field !== null && set({ field, enabled: true })}
        />
        <Select
          label={t('searches.statistic')}
          allowDeselect={false}
          value={analysis.type}
          data={ANALYSIS_FUNCTIONS.map((value) => ({ value, label: t(`searches.functions.${value}`) }))}
          onChange={(type) => set({ type: ANALYSIS_FUNCTIONS.find((one) => one === type) ?? 'average' })}
        />
        <Select
          label={t('searches.interval')}
          allowDeselect={false}
          value={analysis.interval}
          data={[
            { value: 'day', label: t('searches.intervals.day') },
            { value: 'hour', label: t('searches.intervals.hour') },
          ]}
          onChange={(interval) => set({ interval: interval === 'hour' ? 'hour' : 'day' })}
        />
        <Select
          label={t('searches.dateField')}
          allowDeselect={false}
          value={draft.dateField}
          data={[...new Set([...dateFields(info), draft.dateField])]}
          onChange={(dateField) => dateField !== null && onChange({ dateField })}
        />
        <Switch
          label={t('searches.perDevice')}
          checked={analysis.isPerDevice}
          onChange={(event) => set({ isPerDevice: event.currentTarget.checked })}
        />
      </div>
      {asked.enabled && asked.field !== null ? (
        <Statistic run={run} info={info} analysis={asked} field={asked.field} />
      ) : (
        <EmptyState
          title={t(isChosen ? 'searches.press' : 'searches.chooseField')}
          text={t(isChosen ? 'searches.pressText' : 'searches.chooseFieldText')}
        />
      )}
    </div>
  );
}

interface StatisticProps extends Pick<ResultProps, 'run' | 'info'> {
  analysis: Analysis;
  field: string;
}

function Statistic({ run, info, analysis, field }: StatisticProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { table, dateField, time } = run.draft;
  const zone = zoneOf(run.draft);
  const query = useMemo(() => {
    const interval = analysis.interval === 'day' ? '1d' : '1h';
    const category = analysis.isPerDevice ? { category: 'device' } : {};
    const aggregation = { name: VALUE, type: analysis.type, field, interval, ...category };
    return { ...baseQuery(run.draft), rows: 0, aggs: [aggregation] };
  }, [run.draft, analysis, field]);
  const { data, error, refetch } = useQuery(recordsQuery(wg, table, query, run.number));
  const { data: devices } = useQuery(deviceListQuery(wg));
  const rows = useMemo(() => (data?.dataset ?? []) as Found[], [data]);
  const units = unitsOf(analysis.type, info?.fields.find(({ name }) => name === field)?.units ?? null);
  const title = `${t(`searches.functions.${analysis.type}`)}: ${field}`;
  const nameOf = useMemo(() => {
    const names = new Map((devices ?? []).map(({ id, name }) => [id, name]));
    return (row: Found) =>
      analysis.isPerDevice ? (names.get(String(row.device)) ?? String(row.device)) : field;
  }, [devices, analysis.isPerDevice, field]);
  const series = useMemo(() => seriesOf(rows, dateField, nameOf, units), [rows, dateField, nameOf, units]);
  const timeText = useMemo(
    () => (at: number) =>
      analysis.interval === 'day' ? formatDay(at, zone) : formatInstant(at, zone, false),
    [analysis.interval, zone],
  );
  const columns = useMemo((): Column<Found>[] => {
    const at = (row: Found) => Number(row[dateField]);
    return [
      {
        id: 'at',
        title: t('searches.from'),
        value: at,
        isTime: true,
        text: (row) => timeText(at(row)),
        cell: (row) => timeText(at(row)),
        width: 200,
      },
      ...(analysis.isPerDevice
        ? [{ id: 'device', title: t('searches.device'), value: nameOf, width: 220 }]
        : []),
      {
        id: VALUE,
        title: units ? `${title} (${units})` : title,
        value: (row) => row[VALUE] ?? null,
        cell: (row) => (typeof row[VALUE] === 'number' ? formatValue(row[VALUE], units) : NO_VALUE),
        align: 'right',
        width: 260,
      },
    ];
  }, [t, dateField, timeText, analysis.isPerDevice, nameOf, title, units]);
  const [sort, setSort] = useState<string | null>('at');
  if (error)
    return <ErrorState title={t('searches.analysisFailed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <ChartSkeleton height={420} />;
  if (rows.length === 0) return <EmptyState title={t('searches.nothing')} text={t('searches.nothingText')} />;
  const times = rows.map((row) => Number(row[dateField]));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const span =
    time.range.kind === 'all'
      ? { from: first, to: Math.max(last, first + 1) }
      : resolveRange(time.range, Date.now(), zone);
  return (
    <>
      <div className={classes.card}>
        <TimeSeriesChart
          title={title}
          series={series}
          span={span}
          timeZone={zone}
          height={280}
          onZoom={() => {}}
          onZoomOut={() => {}}
        />
      </div>
      <div className={classes.result}>
        <DataTable
          label={title}
          name={`search-analysis-${table}`}
          columns={columns}
          rows={rows}
          rowId={(row) => JSON.stringify([row.device, row[dateField]])}
          sort={sort}
          onSort={setSort}
          empty={null}
        />
      </div>
    </>
  );
}

/** Units of a statistic: what is integrated over hours has them in its unit. */
function unitsOf(type: Analysis['type'], units: string | null): string | null {
  if (units === null || UNITLESS.includes(type)) return null;
  return type === 'integral' ? `${units}h` : units;
}

function seriesOf(
  rows: readonly Found[],
  dateField: string,
  nameOf: (row: Found) => string,
  units: string | null,
): ChartSeries[] {
  const lines = new Map<string, Sample[]>();
  for (const row of rows) {
    const [at, value] = [Number(row[dateField]), row[VALUE]];
    if (typeof value !== 'number') continue;
    const name = nameOf(row);
    const known = lines.get(name);
    if (known) known.push({ at, value });
    else lines.set(name, [{ at, value }]);
  }
  const frame = frameOf([...lines.values()]);
  return [...lines].map(([label, samples], style) => ({
    id: label,
    label,
    units,
    style,
    isStepped: true,
    points: pointsOf(samples, frame),
  }));
}
