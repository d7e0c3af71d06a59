import type { BoardStream } from '@albedo/contract/boards/streams.schema';
import { ENERGY_DEFAULTS, ENERGY_PARTS, type EnergyPart } from '@albedo/contract/boards/widgets/energy-parts';
import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { FIELD_ROLES } from '@albedo/contract/field-roles/field-roles';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChartSeries } from '../../../../ui/time-series-chart/series-data.ts';
import { TimeSeriesChart } from '../../../../ui/time-series-chart/time-series-chart.tsx';
import { useAnswer, useBoard } from '../../board-context.ts';
import { textsTogether } from '../../levels.ts';
import { type Line, linesOf, NoLine } from '../../lines.ts';
import { useOrigin } from '../../origins.ts';
import { questionOf, totalOf, useOwnSpan } from '../../use-figures.ts';
import type { WidgetProps } from '../../widget.ts';
import { WidgetFailure, WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import classes from './energy.module.css';

const INTERVALS = { hour: '1h', day: '1d', week: '1w', month: '1M', year: '1y' } as const;
/** Height of the head of a chart and of the totals above it, px. */
const [HEAD, TOTALS] = [38, 54];
const MOST_POINTS = 2000;

interface Part {
  part: EnergyPart;
  line: Line;
  fn: 'difference' | 'sum';
}

/** Production beside what was expected, metered and planned, by hour, day, week, month or year. */
export function EnergyView({ settings, title, height }: WidgetProps<SettingsOf<'energy'>>) {
  const { t } = useTranslation();
  const { zone, zooming } = useBoard();
  const span = useOwnSpan(settings.range);
  const parts = useParts(settings);
  const [counters, others] = useMemo(() => {
    const by = (fn: Part['fn']) => parts.filter((one) => one.fn === fn).map(({ line }) => line);
    return [by('difference'), by('sum')];
  }, [parts]);
  useOrigin(counters, 'difference', settings.range);
  useOrigin(others, 'sum', settings.range);
  const interval = INTERVALS[settings.granularity];
  const ask = (fn: Part['fn']) => {
    const lines = fn === 'difference' ? counters : others;
    return lines.length === 0
      ? null
      : questionOf(lines, { span, zone, fn, maxPoints: MOST_POINTS, interval });
  };
  const counted = useAnswer(ask('difference'));
  const summed = useAnswer(ask('sum'));
  const series = useMemo(() => {
    const answers = { difference: counted.data?.points, sum: summed.data?.points };
    const at = { difference: 0, sum: 0 };
    return parts.flatMap(({ part, line, fn }, i): (ChartSeries & { total: number | null })[] => {
      const points = answers[fn]?.[at[fn]++];
      if (!points) return [];
      const label = t(`boards.energy.${part}`);
      return [{ id: part, label, units: line.units, points, style: i, total: totalOf(points, fn) }];
    });
  }, [parts, counted.data, summed.data, t]);
  if (parts.length === 0) return <WidgetNote text={t('boards.energy.none')} />;
  const failed = [counted, summed].find(({ error }) => error);
  if (failed && series.length === 0)
    return <WidgetFailure error={failed.error} onRetry={() => void failed.refetch()} />;
  if (series.length === 0) return <WidgetSkeleton />;
  const isTall = height > 190;
  const totals = textsTogether(series.map(({ total, units = null }) => ({ value: total, units })));
  return (
    <div className={classes.energy}>
      {isTall ? (
        <dl className={classes.totals}>
          {series.map(({ id, label }, at) => (
            <div key={id}>
              <dt>{label}</dt>
              <dd>{totals[at]}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      <TimeSeriesChart
        title={title}
        series={series}
        span={span}
        timeZone={zone}
        height={Math.max(70, height - HEAD - 6 - (isTall ? TOTALS : 0))}
        legendHeight={0}
        isRefreshing={counted.isFetching && counted.isPlaceholderData}
        style={settings.chart}
        onZoom={zooming.zoom}
        onZoomOut={zooming.zoomOut}
        canZoomOut={zooming.canZoomOut}
      />
    </div>
  );
}

/** What is shown and what the entity has of it. */
function useParts(settings: SettingsOf<'energy'>): Part[] {
  const { world, entityId } = useBoard();
  return useMemo(() => {
    const parts: Part[] = [];
    for (const [part, flag] of Object.entries(ENERGY_PARTS) as [EnergyPart, keyof typeof settings][]) {
      const stream = settings[part] ?? ENERGY_DEFAULTS[part];
      if (settings[flag] !== true || !stream) continue;
      try {
        const [line] = linesOf(world, entityId, {
          ...stream,
          combine: stream.combine === 'each' ? 'sum' : stream.combine,
        });
        if (line) parts.push({ part, line, fn: isCounter(stream) ? 'difference' : 'sum' });
      } catch (error) {
        // What nobody chose may be missing; what somebody chose may not.
        if (!(error instanceof NoLine) || settings[part]) throw error;
      }
    }
    return parts;
  }, [world, entityId, settings]);
}

/** A counter that only rises; anything else is energy of its interval. */
function isCounter({ role }: Pick<BoardStream, 'role'>): boolean {
  if (role === undefined) return false;
  const known: { dimension: string; isCounter?: boolean } = FIELD_ROLES[role];
  return known.isCounter === true;
}
