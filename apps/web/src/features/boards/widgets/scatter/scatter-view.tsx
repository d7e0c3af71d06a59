import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { durationOf, heldOf, scatterOf } from '../../../../app/series/derived.ts';
import { NumberChart, type NumberSeries } from '../../../../ui/time-series-chart/number-chart.tsx';
import { useAnswer, useBoard } from '../../board-context.ts';
import type { Line } from '../../lines.ts';
import { useOrigin } from '../../origins.ts';
import { questionOf, useOwnSpan } from '../../use-figures.ts';
import type { WidgetProps } from '../../widget.ts';
import { WidgetFailure, WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import { useLines } from '../use-lines.ts';
import { curveOf } from './curve.ts';

/** Head and legend of a chart, px. */
const AROUND = 86;
const POINTS = 3000;

const asOne = (stream: SettingsOf<'scatter'>['x']) =>
  stream && { ...stream, combine: stream.combine === 'each' ? ('sum' as const) : stream.combine };

/** One value over another one, and the mean of it for each class. */
export function ScatterView({ settings, title, height }: WidgetProps<SettingsOf<'scatter'>>) {
  const { t } = useTranslation();
  const { x, y, interval, hasCurve, range } = settings;
  const xs = useLines([asOne(x)]);
  const ys = useLines([asOne(y)]);
  const [xLine, yLine] = [xs[0], ys[0]];
  const lines = useMemo(() => (xLine && yLine ? [xLine, yLine] : []), [xLine, yLine]);
  // Both need instants in common.
  const { points, failure } = usePoints(lines, range, interval === 'auto' ? '15m' : interval);
  const series = useMemo((): NumberSeries[] | null => {
    const [left, right] = points ?? [];
    if (!left || !right || !xLine || !yLine) return null;
    const pairs = scatterOf(left, right);
    const own = { id: 'points', label: yLine.label, units: yLine.units, style: 0, ...pairs };
    const curve = hasCurve ? curveOf(pairs) : null;
    if (!curve) return [own];
    return [own, { id: 'curve', label: t('boards.curve'), units: yLine.units, style: 1, ...curve }];
  }, [points, xLine, yLine, hasCurve, t]);
  if (!xLine || !yLine) return <WidgetNote text={t('boards.choose')} />;
  if (failure) return failure;
  if (!series) return <WidgetSkeleton />;
  return (
    <NumberChart
      title={title}
      xLabel={xLine.label}
      xUnits={xLine.units}
      kind="points"
      series={series}
      height={Math.max(90, height - AROUND)}
    />
  );
}

/** How long values were at least as high, in per cent of the time. */
export function DurationView({ settings, title, height }: WidgetProps<SettingsOf<'duration'>>) {
  const { t } = useTranslation();
  const { interval, range } = settings;
  const lines = useLines(settings.streams);
  const { points, failure } = usePoints(lines, range, interval === 'auto' ? undefined : interval);
  const series = useMemo(
    () =>
      points
        ? lines.flatMap((line, style): NumberSeries[] => {
            const own = points[style];
            return own
              ? [{ id: line.key, label: line.label, units: line.units, style, ...durationOf(heldOf(own)) }]
              : [];
          })
        : null,
    [points, lines],
  );
  if (lines.length === 0) return <WidgetNote text={t('boards.choose')} />;
  if (failure) return failure;
  if (!series) return <WidgetSkeleton />;
  return (
    <NumberChart
      title={title}
      xLabel={t('boards.shareOfTime')}
      xUnits="%"
      kind="line"
      series={series}
      height={Math.max(90, height - AROUND)}
    />
  );
}

function usePoints(lines: readonly Line[], range: string | undefined, interval: string | undefined) {
  const { zone } = useBoard();
  useOrigin(lines, 'average', range);
  const span = useOwnSpan(range);
  const of = { span, zone, fn: 'average', maxPoints: POINTS, interval } as const;
  const answer = useAnswer(lines.length === 0 ? null : questionOf(lines, of));
  const failure =
    answer.error && !answer.data ? (
      <WidgetFailure error={answer.error} onRetry={() => void answer.refetch()} />
    ) : null;
  return { points: answer.data?.points, failure };
}
