import type { IncidentDetail } from '@albedo/contract/incidents/incidents.schema';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceZone } from '../../app/device-zone.ts';
import { useNow } from '../../app/now.ts';
import { isStepped, unitsOf } from '../../app/series/source-groups.ts';
import { useWorkgroup } from '../../app/session.ts';
import { ChartSkeleton } from '../../ui/skeletons.tsx';
import { ErrorState } from '../../ui/states.tsx';
import type { Span } from '../../ui/time-range/time-range.ts';
import { resolveZone } from '../../ui/time-range/time-zone.ts';
import type { ChartSeries } from '../../ui/time-series-chart/series-data.ts';
import { TimeSeriesChart } from '../../ui/time-series-chart/time-series-chart.tsx';
import { deviceQuery } from '../devices/devices.queries.ts';
import { seriesQuery, useTables } from '../telemetry/telemetry.queries.ts';
import classes from './incidents.module.css';

/** What is shown before and after the moment, ms. */
const AROUND_MS = 15 * 60_000;
const REFRESH_MS = 30_000;

interface IncidentSignalProps {
  incident: IncidentDetail;
  signal: NonNullable<IncidentDetail['signal']>;
}

/** The signal that an incident is about, 15 minutes either side, with the moment at which it opened marked. */
export function IncidentSignal({ incident, signal }: IncidentSignalProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(REFRESH_MS);
  const { createdAt, clearedAt, reading } = incident;
  const whole = { from: createdAt - AROUND_MS, to: createdAt + AROUND_MS };
  const [zoomed, setZoomed] = useState<Span | null>(null);
  const [pinned, setPinned] = useState<number | null>(createdAt);
  const span = zoomed ?? whole;
  // What has not happened yet is asked for as it comes.
  const to = Math.max(span.from + 1000, Math.min(span.to, Math.ceil(now / REFRESH_MS) * REFRESH_MS));
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...seriesQuery({ wg, series: [signal], from: span.from, to, maxPoints: 800 }),
    placeholderData: keepPreviousData,
  });
  const { byName } = useTables(wg, [signal.table]);
  const { data: device } = useQuery(deviceQuery(wg, signal.device));
  const zone = resolveZone('', device && deviceZone(device));
  const units = unitsOf(byName, signal.table, signal.field) ?? reading.units;
  const { field, source, table } = signal;
  const series = useMemo((): ChartSeries[] => {
    const [points] = data?.points ?? [];
    if (!points) return [];
    const line = {
      id: field,
      label: `${incident.subject}: ${field}`,
      units,
      isStepped: isStepped(byName, table, field),
      points,
    };
    return typeof reading.limit === 'number' && reading.field === field
      ? [line, limitLine(t('incidents.signal.limit'), reading.limit, units, { from: span.from, to })]
      : [line];
  }, [data, byName, table, field, units, incident.subject, reading, span.from, to, t]);
  const marks = useMemo(
    () =>
      [
        { id: 'opened', at: createdAt, text: t('incidents.signal.opened') },
        ...(clearedAt === null ? [] : [{ id: 'over', at: clearedAt, text: t('incidents.signal.over') }]),
      ].map(({ id, at, text }) => ({ id, kind: 'event' as const, from: at, to: at, text })),
    [createdAt, clearedAt, t],
  );
  if (error && !data)
    return <ErrorState title={t('incidents.signal.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <ChartSkeleton height={260} />;
  return (
    <div className={classes.signal}>
      <TimeSeriesChart
        title={source === incident.subject ? field : `${field} · ${source}`}
        series={series}
        span={span}
        timeZone={zone}
        height={200}
        marks={marks}
        pinned={pinned}
        onPin={setPinned}
        isRefreshing={isFetching && isPlaceholderData}
        emptyText={t('incidents.signal.empty')}
        onZoom={setZoomed}
        onZoomOut={() => setZoomed(null)}
        canZoomOut={zoomed !== null}
      />
    </div>
  );
}

/** The limit as a line of its own. */
function limitLine(label: string, limit: number, units: string | null, { from, to }: Span): ChartSeries {
  const both = [limit, limit];
  return {
    id: 'limit',
    label,
    units,
    ghost: 'model',
    style: 3,
    isStepped: true,
    points: {
      stepMs: 0,
      times: [from, to],
      min: both,
      avg: both,
      max: both,
      stats: { count: 2, min: limit, avg: limit, max: limit, last: limit },
    },
  };
}
