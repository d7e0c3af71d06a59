import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { heatOf } from '../../../../app/series/derived.ts';
import { HeatMap } from '../../../../ui/heat-map/heat-map.tsx';
import { useAnswer, useBoard } from '../../board-context.ts';
import { questionOf, useOwnSpan } from '../../use-figures.ts';
import type { WidgetProps } from '../../widget.ts';
import { WidgetFailure, WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import classes from '../list.module.css';
import { useLines } from '../use-lines.ts';

/** Points of one line: so many hours. */
const HOURS = 10_000;

/** A value by day and hour of the day. */
export function HeatView({ settings, title }: WidgetProps<SettingsOf<'heat'>>) {
  const { t } = useTranslation();
  const { zone } = useBoard();
  const span = useOwnSpan(settings.range);
  const { stream, function: fn } = settings;
  const lines = useLines([
    stream && { ...stream, combine: stream.combine === 'each' ? 'sum' : stream.combine },
  ]);
  const question = questionOf(lines, { span, zone, fn, maxPoints: HOURS, interval: '1h' });
  const answer = useAnswer(lines.length === 0 ? null : question);
  const points = answer.data?.points?.[0];
  const heat = useMemo(() => (points ? heatOf(points, zone) : null), [points, zone]);
  if (lines.length === 0) return <WidgetNote text={t('boards.choose')} />;
  if (answer.error && !heat)
    return <WidgetFailure error={answer.error} onRetry={() => void answer.refetch()} />;
  if (!heat) return <WidgetSkeleton />;
  return (
    <div className={classes.whole}>
      <HeatMap
        title={title}
        units={fn === 'count' ? null : (lines[0]?.units ?? null)}
        timeZone={zone}
        {...heat}
      />
    </div>
  );
}
