import { SAVED_ROWS } from '@albedo/contract/searches/searches.schema';
import type { TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { Group, Switch } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { ChartSkeleton } from '../../ui/skeletons.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { resolveRange, type Span } from '../../ui/time-range/time-range.ts';
import type { ChartSeries } from '../../ui/time-series-chart/series-data.ts';
import { TimeSeriesChart } from '../../ui/time-series-chart/time-series-chart.tsx';
import { formatWhole } from '../../ui/units/numbers.ts';
import { baseUnit } from '../../ui/units/units.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { frameOf, pointsOf, type Sample } from './chart-points.ts';
import { FieldsPopover } from './fields-popover.tsx';
import { baseQuery, type Found, numericFields, zoneOf } from './found.ts';
import type { ResultProps } from './result.ts';
import type { SearchDraft } from './search-draft.ts';
import classes from './searches.module.css';
import { recordsQuery } from './searches.queries.ts';

/** Lines that people still tell apart. */
const MOST_LINES = 24;
const MOST_FIELDS = 12;

/** Numbers of the records as lines over time, one for each device and source. */
export function ResultCharts({ run, draft, info, onChange }: ResultProps) {
  const { t } = useTranslation();
  const { charts } = draft;
  const asked = run.draft.charts;
  return (
    <div className={classes.panel}>
      <Group gap="md">
        <Switch
          label={t('searches.enable')}
          checked={charts.enabled}
          onChange={(event) => onChange({ charts: { ...charts, enabled: event.currentTarget.checked } })}
        />
        <FieldsPopover
          label={t('searches.fieldsToDraw')}
          icon={<IconChartLine size={15} />}
          fields={numericFields(info)}
          chosen={charts.fields}
          most={MOST_FIELDS}
          onChange={(fields) =>
            onChange({ charts: { enabled: fields.length > 0 || charts.enabled, fields } })
          }
        />
      </Group>
      {asked.enabled && asked.fields.length > 0 ? (
        <Charts run={run} fields={asked.fields} info={info} onChange={onChange} time={draft.time} />
      ) : (
        <EmptyState
          title={t(charts.enabled && charts.fields.length > 0 ? 'searches.press' : 'searches.chooseNumbers')}
          text={t(
            charts.enabled && charts.fields.length > 0 ? 'searches.pressText' : 'searches.chooseNumbersText',
          )}
        />
      )}
    </div>
  );
}

interface ChartsProps extends Pick<ResultProps, 'run' | 'info' | 'onChange'> {
  fields: readonly string[];
  time: SearchDraft['time'];
}

function Charts({ run, fields, info, time, onChange }: ChartsProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { dateField, table } = run.draft;
  const zone = zoneOf(run.draft);
  const query = useMemo(
    () => ({
      ...baseQuery(run.draft),
      sort: `-${dateField}`,
      rows: SAVED_ROWS.visualisation,
      fields: [...new Set(['device', 'source', 'event_time', dateField, ...fields])],
    }),
    [run.draft, dateField, fields],
  );
  const { data, error, refetch } = useQuery(recordsQuery(wg, table, query, run.number));
  const { data: devices } = useQuery(deviceListQuery(wg));
  const names = useMemo(() => new Map((devices ?? []).map(({ id, name }) => [id, name])), [devices]);
  const lines = useMemo(
    () => linesOf(data?.records ?? [], { fields, dateField, names, info }),
    [data, fields, dateField, names, info],
  );
  const span = useMemo(() => spanOf(run.draft, zone, lines), [run.draft, zone, lines]);
  if (error)
    return <ErrorState title={t('searches.chartsFailed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <ChartSkeleton height={360} />;
  const byUnit = [...Map.groupBy(lines.slice(0, MOST_LINES), ({ units }) => baseUnit(units).unit)];
  const zoom = ({ from, to }: Span) =>
    onChange({ time: { ...time, range: { kind: 'absolute', from, to }, isRefreshing: false } });
  return (
    <>
      {data.totalRecords > data.records.length ? (
        <p className={classes.dim}>
          {t('searches.drawn', {
            count: data.records.length,
            shown: formatWhole(data.records.length),
            total: formatWhole(data.totalRecords),
          })}
        </p>
      ) : null}
      {lines.length > MOST_LINES ? (
        <p className={classes.dim}>{t('searches.moreLines', { count: lines.length - MOST_LINES })}</p>
      ) : null}
      {lines.length === 0 ? (
        <EmptyState title={t('searches.nothing')} text={t('searches.nothingText')} />
      ) : (
        byUnit.map(([unit, series]) => (
          <div key={unit} className={classes.card}>
            <TimeSeriesChart
              title={titleOf(series, fields)}
              series={series}
              span={span}
              timeZone={zone}
              height={byUnit.length === 1 ? 360 : 240}
              onZoom={zoom}
              onZoomOut={() => onChange({ time: { ...time, range: run.draft.time.range } })}
            />
          </div>
        ))
      )}
    </>
  );
}

const titleOf = (series: readonly ChartSeries[], fields: readonly string[]): string =>
  fields.filter((field) => series.some(({ id }) => (JSON.parse(id) as string[])[2] === field)).join(', ');

interface LinesOf {
  fields: readonly string[];
  dateField: string;
  names: ReadonlyMap<string, string>;
  info: TableInfo | undefined;
}

/** One line for each field of each device and source; what all of them share is left out of their names. */
function linesOf(records: readonly Found[], { fields, dateField, names, info }: LinesOf): ChartSeries[] {
  const samples = new Map<string, Sample[]>();
  for (const row of records) {
    const at = instantOf(row[dateField]);
    if (at === null) continue;
    for (const field of fields) {
      const value = row[field];
      if (typeof value !== 'number') continue;
      const id = JSON.stringify([row.device, row.source, field]);
      const known = samples.get(id);
      if (known) known.push({ at, value });
      else samples.set(id, [{ at, value }]);
    }
  }
  const frame = frameOf([...samples.values()]);
  const keys = [...samples.keys()].map((id) => JSON.parse(id) as [string, string, string]);
  const differs = (place: 0 | 1 | 2) => new Set(keys.map((key) => key[place])).size > 1;
  const [byDevice, bySource, byField] = [differs(0), differs(1), differs(2)];
  return [...samples].map(([id, all], style) => {
    const [device, source, field] = JSON.parse(id) as [string, string, string];
    const parts = [
      byDevice ? (names.get(device) ?? device) : '',
      bySource ? source : '',
      byField || (!byDevice && !bySource) ? field : '',
    ];
    const known = info?.fields.find(({ name }) => name === field);
    return {
      id,
      label: parts.filter(Boolean).join(' / '),
      units: known?.units ?? null,
      style,
      isStepped: known?.type === 'bool',
      points: pointsOf(all, frame),
    };
  });
}

function instantOf(value: string | number | null | undefined): number | null {
  const at = typeof value === 'number' ? value : Date.parse(value ?? '');
  return Number.isNaN(at) ? null : at;
}

/** What was asked for; of all time, what there is. */
function spanOf({ time }: SearchDraft, zone: string, lines: readonly ChartSeries[]): Span {
  if (time.range.kind !== 'all') return resolveRange(time.range, Date.now(), zone);
  const ends = lines
    .flatMap(({ points: { times } }) => [times[0], times.at(-1)])
    .filter((at) => at !== undefined);
  const [from, to] = [Math.min(...ends), Math.max(...ends)];
  return ends.length > 0 && from < to ? { from, to } : { from: Date.now() - 3_600_000, to: Date.now() };
}
