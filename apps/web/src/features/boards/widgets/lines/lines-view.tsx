import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { earlierSpan, movedOn } from '../../../../app/series/earlier.ts';
import type { ChartSeries } from '../../../../ui/time-series-chart/series-data.ts';
import { TimeSeriesChart } from '../../../../ui/time-series-chart/time-series-chart.tsx';
import { useAnswer, useBoard } from '../../board-context.ts';
import { useOrigin } from '../../origins.ts';
import { questionOf, useOwnRangeName, useOwnSpan } from '../../use-figures.ts';
import type { WidgetProps } from '../../widget.ts';
import { WidgetFailure, WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import { useLines } from '../use-lines.ts';
import { pointsAsRead, useSiteDays } from './site-days.ts';

/** Height of the head of a chart, of the head of its legend and of a line in it, px. */
const [HEAD, LEGEND_HEAD, LEGEND_LINE] = [38, 28, 28];
const WIDTH_STEP = 200;

export const LinesView = (props: WidgetProps<SettingsOf<'lines'>>) => <OverTime {...props} style="line" />;
export const BarsView = (props: WidgetProps<SettingsOf<'bars'>>) => <OverTime {...props} style="column" />;

function OverTime(
  props: WidgetProps<SettingsOf<'lines'> | SettingsOf<'bars'>> & { style: 'line' | 'column' },
) {
  const { settings, title, width, height, style } = props;
  const { t } = useTranslation();
  const { zone, zooming } = useBoard();
  const span = useOwnSpan(settings.range);
  const rangeName = useOwnRangeName(settings.range);
  const { function: fn, interval, compare = null } = settings;
  const lines = useLines(settings.streams);
  useOrigin(lines, fn, settings.range);
  const maxPoints = Math.max(100, Math.ceil(width / WIDTH_STEP) * WIDTH_STEP) / (style === 'column' ? 12 : 1);
  const of = {
    zone,
    fn,
    maxPoints: Math.ceil(maxPoints),
    interval: interval === 'auto' ? undefined : interval,
  };
  const days = useSiteDays(lines, settings.range, interval, span);
  const { clocks, spans, axis = span } = days ?? {};
  const answer = useAnswer(lines.length === 0 ? null : questionOf(lines, { ...of, span, clocks, spans }));
  const earlier = useMemo(() => (compare ? earlierSpan(span, compare, zone) : null), [span, compare, zone]);
  const earlierSpans = compare
    ? spans?.map((own, i) => earlierSpan(own, compare, clocks?.[i] ?? zone))
    : undefined;
  const before = useAnswer(
    lines.length === 0 || !earlier
      ? null
      : questionOf(lines, { ...of, span: earlier, clocks, spans: earlierSpans }),
  );
  const series = useMemo(() => {
    const points = answer.data?.points;
    if (!points) return null;
    const units = (one: string | null) => (fn === 'count' ? null : one);
    return lines.flatMap((line, i): ChartSeries[] => {
      const clock = clocks?.[i] ?? zone;
      const own = points[i] && pointsAsRead(points[i], clock, zone);
      if (!own) return [];
      const now = { id: line.key, label: line.label, units: units(line.units), points: own, style: i };
      const old = before.data?.points?.[i];
      if (!old || !compare) return [now];
      const label = t(`boards.compared.${compare}`, { label: line.label });
      const ghost = {
        ...now,
        id: `${line.key} before`,
        label,
        points: movedOn(pointsAsRead(old, clock, zone), span, compare, zone),
        ghost: 'earlier',
      };
      return [now, ghost];
    });
  }, [answer.data, before.data, lines, fn, compare, span, zone, clocks, t]);
  if (lines.length === 0) return <WidgetNote text={t('boards.choose')} />;
  if (answer.error && !series)
    return <WidgetFailure error={answer.error} onRetry={() => void answer.refetch()} />;
  if (!series) return <WidgetSkeleton />;
  const hasLegend = settings.hasLegend && height > 180;
  const legend = hasLegend ? Math.min(LEGEND_HEAD + LEGEND_LINE * series.length, height * 0.4) : 0;
  return (
    <TimeSeriesChart
      title={title}
      series={series}
      span={axis}
      timeZone={zone}
      zoneName={days ? t('boards.siteTime') : undefined}
      rangeName={rangeName}
      height={Math.max(70, height - HEAD - legend - 6)}
      legendHeight={legend}
      isRefreshing={answer.isFetching && answer.isPlaceholderData}
      style={style}
      onZoom={zooming.zoom}
      onZoomOut={zooming.zoomOut}
      canZoomOut={zooming.canZoomOut}
    />
  );
}
