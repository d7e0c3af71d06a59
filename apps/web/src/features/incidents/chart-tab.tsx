import type { Incident } from '@albedo/contract/incidents/incidents.schema';

import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { useZoom } from '../../app/series/use-span.ts';
import { ChartSkeleton } from '../../ui/skeletons.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { openOverTime } from '../../ui/time-series-chart/open-over-time.ts';
import type { ChartSeries } from '../../ui/time-series-chart/series-data.ts';
import { TimeSeriesChart } from '../../ui/time-series-chart/time-series-chart.tsx';
import type { TabProps } from './active-tab.tsx';
import { HistoryRange, useHistory } from './history-tab.tsx';
import classes from './incidents.module.css';

const heldBy = ({ createdAt, clearedAt, closedAt }: Incident) => ({
  from: createdAt,
  to: clearedAt ?? closedAt,
});

/** Lines that can be told apart. */
const MOST = 12;

/** How many incidents of each alert were open over time, in one chart; of the ticked alerts, or of those with the most. */
export function ChartTab({ address, change }: TabProps) {
  const { t } = useTranslation();
  const { rows, error, refetch, zone, span, isRefreshing } = useHistory(address);
  const now = useNow(60_000);
  const zooming = useZoom(address.time, span, (time) => change({ time }));
  const byAlert = useMemo(() => {
    const found = new Map<string, { name: string; all: Incident[] }>();
    for (const { incident } of rows ?? []) {
      const known = found.get(incident.alert);
      if (known) known.all.push(incident);
      else found.set(incident.alert, { name: incident.name, all: [incident] });
    }
    return [...found].toSorted(([, a], [, b]) => b.all.length - a.all.length);
  }, [rows]);
  const series = useMemo(
    () =>
      byAlert.slice(0, MOST).map(
        ([id, { name, all }]): ChartSeries => ({
          id,
          label: name,
          units: null,
          isStepped: true,
          points: openOverTime(all.map(heldBy), span, now),
        }),
      ),
    [byAlert, span, now],
  );
  return (
    <div className={classes.scroll}>
      <div className={classes.tools}>
        <HistoryRange address={address} change={change} />
        {byAlert.length > MOST ? (
          <span className={classes.dim}>
            {t('incidents.chart.most', { count: MOST, all: byAlert.length })}
          </span>
        ) : null}
      </div>
      {error && !rows ? (
        <ErrorState title={t('incidents.historyFailed')} error={error} onRetry={() => void refetch()} />
      ) : !rows ? (
        <ChartSkeleton height={420} />
      ) : series.length === 0 ? (
        <EmptyState title={t('incidents.noHistory')} text={t('incidents.noHistoryText')} />
      ) : (
        <div className={classes.card}>
          <TimeSeriesChart
            title={t('incidents.chart.title')}
            series={series}
            span={span}
            timeZone={zone}
            height={340}
            isRefreshing={isRefreshing}
            canZoomOut={zooming.canZoomOut}
            onZoom={zooming.zoom}
            onZoomOut={zooming.zoomOut}
          />
        </div>
      )}
    </div>
  );
}
