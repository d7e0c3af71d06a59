import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { growsWithTime } from '@albedo/contract/telemetry/series-functions';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../../../app/now.ts';
import { wayOf } from '../../../../ui/energy-flow/grid-way.ts';
import { Rolling } from '../../../../ui/rolling.tsx';
import { LevelIcon } from '../../../../ui/status/level-icon.tsx';
import { zoneLabel } from '../../../../ui/time-range/zoned-time.ts';
import { agoText } from '../../../../ui/units/durations.ts';
import { useBoard } from '../../board-context.ts';
import { figureData } from '../../figure-data.ts';
import { figureText, levelOf, textOf } from '../../levels.ts';
import { useFigures } from '../../use-figures.ts';
import { useIncidentsOf } from '../../use-incidents-of.ts';
import type { WidgetProps } from '../../widget.ts';
import { useWidgetData } from '../../widget-data.ts';
import { WidgetFailure, WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import { useLines } from '../use-lines.ts';
import classes from './number.module.css';
import { OriginButton } from './origin.tsx';
import { Spark } from './spark.tsx';
import { WrongHere } from './wrong-here.tsx';

/** One figure, large, with how it went below it. */
export function NumberView({ settings, width, height, title }: WidgetProps<SettingsOf<'number'>>) {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const { zone } = useBoard();
  const incidentsOf = useIncidentsOf();
  const { stream, function: fn, hasSparkline, target, thresholds } = settings;
  const hasLine = hasSparkline && height >= 74;
  const lines = useLines([
    stream && { ...stream, combine: stream.combine === 'each' ? 'sum' : stream.combine },
  ]);
  const { figures, isSiteTime, isPending, isArriving, error, retry } = useFigures({
    lines,
    fn,
    range: settings.range,
    trendPoints: hasLine ? Math.max(20, Math.round(width / 4)) : 0,
  });
  const [figure] = figures;
  useWidgetData(figureData(title, figure, fn));
  if (!stream) return <WidgetNote text={t('boards.choose')} />;
  if (error) return <WidgetFailure error={error} onRetry={retry} />;
  if (isPending || !figure) return <WidgetSkeleton />;
  const { value, at, isStale, of, points, line } = figure;
  const units = fn === 'count' ? null : line.units;
  const shown = figureText(value, units, settings);
  const level = levelOf(value, thresholds);
  const way = fn === 'count' ? null : wayOf(stream.role, value);
  const isLong = shown.number.length > 9;
  const size = Math.max(18, Math.min(40, width / (isLong ? 9 : 6.4), height * (hasLine ? 0.42 : 0.55)));
  const incidents = [...new Set(line.streams.flatMap(({ entity }) => incidentsOf(entity)))];
  const share = target && typeof value === 'number' ? value / target : null;
  return (
    <div className={classes.number} data-stale={isStale}>
      <div className={classes.figure} data-level={level ?? undefined} style={{ fontSize: size }}>
        {level && level !== 'ok' ? <LevelIcon mark={level} size={Math.round(size * 0.5)} /> : null}
        <span>{typeof value === 'number' ? <Rolling text={shown.number} /> : shown.number}</span>
        {shown.unit ? <small>{shown.unit}</small> : null}
      </div>
      <div className={classes.facts}>
        <WrongHere incidents={incidents} />
        {value === null ? (
          <span>{t(isArriving && fn !== 'latest' ? 'demo.arriving' : 'boards.noValue')}</span>
        ) : null}
        {way ? <b>{t(`plants.flow.${way}`)}</b> : null}
        {/* Days begin at other times elsewhere. */}
        {value !== null && fn !== 'latest' ? (
          <span>{isSiteTime ? t('boards.siteTime') : zoneLabel(zone, now)}</span>
        ) : null}
        {isStale && at !== null ? <span>{t('boards.old', { ago: agoText(at, now) })}</span> : null}
        {!isStale && at !== null && of.counted < of.all ? <span>{t('boards.someOf', of)}</span> : null}
        {share !== null && target !== undefined ? (
          <span>
            {t('boards.ofTarget', {
              percent: textOf(share * 100, '%', { decimals: 0 }),
              target: textOf(target, units, settings),
            })}
          </span>
        ) : null}
      </div>
      <OriginButton lines={lines} fn={fn} range={settings.range} title={title} />
      {share !== null ? (
        <div className={classes.target} role="presentation">
          <span style={{ width: `${Math.max(0, Math.min(100, share * 100))}%` }} />
        </div>
      ) : null}
      {hasLine && points ? (
        <Spark points={points} title={title} zone={zone} grows={fn !== 'latest' && growsWithTime(fn)} />
      ) : null}
      {hasLine && isArriving ? <div className={classes.spark} /> : null}
    </div>
  );
}
