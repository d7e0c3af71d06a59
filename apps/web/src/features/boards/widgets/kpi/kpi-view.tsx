import type { KpiFigure } from '@albedo/contract/boards/widgets/parts';
import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { useQuery } from '@tanstack/react-query';
import { useContext, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { whyMissing } from '../../../../app/figures/figures.ts';
import { partialIntervals } from '../../../../app/figures/partial-intervals.ts';
import { useIsArriving } from '../../../../app/filling.ts';
import { useNow } from '../../../../app/now.ts';
import { LevelIcon } from '../../../../ui/status/level-icon.tsx';
import { zoneLabel } from '../../../../ui/time-range/zoned-time.ts';
import { formatValue } from '../../../../ui/units/units.ts';
import { kpiAnswerQuery } from '../../../kpis/kpis.queries.ts';
import { InSight, useBoard } from '../../board-context.ts';
import { namedData } from '../../figure-data.ts';
import { figureText, levelOf, textOf } from '../../levels.ts';
import { useIncidentsOf } from '../../use-incidents-of.ts';
import type { WidgetProps } from '../../widget.ts';
import { useWidgetData } from '../../widget-data.ts';
import { WidgetFailure, WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import classes from '../number/number.module.css';
import { Spark } from '../number/spark.tsx';
import { WrongHere } from '../number/wrong-here.tsx';
import { KpiOriginButton } from './kpi-origin.tsx';
import { ENOUGH, type NamedKpi, useKpi, useKpiRange } from './use-kpi.ts';

/** A value of a KPI, large, with how it went below it. */
export function KpiView({ settings, width, height, title }: WidgetProps<SettingsOf<'kpi'>>) {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const { entityId } = useBoard();
  const incidentsOf = useIncidentsOf();
  const { figure, hasSparkline, target, thresholds } = settings;
  const { kpi, isGone, error, refetch } = useKpi(figure);
  const { answer, question } = useKpiAnswer(kpi, figure, settings.range);
  const isArriving = useIsArriving(question.from ?? Number.POSITIVE_INFINITY);
  const result = resultOf(answer.data?.values, figure?.value);
  const shownResult = result && isArriving ? { ...result, value: null, series: undefined } : result;
  useWidgetData(
    shownResult ? namedData([{ name: title, value: shownResult.value, units: shownResult.units }]) : null,
  );
  if (!figure) return <WidgetNote text={t('boards.kpi.choose')} />;
  if (error) return <WidgetFailure error={error} onRetry={() => void refetch()} />;
  if (isGone) return <WidgetNote text={t('boards.kpi.gone')} isBad />;
  if (answer.error && !answer.data)
    return <WidgetFailure error={answer.error} onRetry={() => void answer.refetch()} />;
  if (!kpi || !answer.data) return <WidgetSkeleton />;
  if (!shownResult) return <WidgetNote text={t('boards.kpi.gone')} isBad />;
  const { value, units, coverage, series } = shownResult;
  const { starts, zone } = answer.data;
  const hasLine = hasSparkline && height >= 74 && series !== undefined && starts !== undefined;
  const missing = whyMissing(shownResult);
  const shown = figureText(value, units, settings);
  const level = levelOf(value, thresholds);
  const size = Math.max(
    18,
    Math.min(40, width / (shown.number.length > 9 ? 9 : 6.4), height * (hasLine ? 0.42 : 0.55)),
  );
  const share = target && value !== null ? value / target : null;
  return (
    <div className={classes.number}>
      <div className={classes.figure} data-level={level ?? undefined} style={{ fontSize: size }}>
        {level && level !== 'ok' ? <LevelIcon mark={level} size={Math.round(size * 0.5)} /> : null}
        <span>{shown.number}</span>
        {shown.unit ? <small>{shown.unit}</small> : null}
      </div>
      <div className={classes.facts}>
        <WrongHere incidents={incidentsOf(entityId)} />
        <span>
          {missing ? t(isArriving ? 'demo.arriving' : `kpis.why.${missing}`) : zoneLabel(zone, now)}
        </span>
        {coverage !== null && coverage < ENOUGH ? (
          <span>{t('boards.kpi.known', { share: formatValue(coverage * 100, '%') })}</span>
        ) : null}
        {share !== null && target !== undefined ? (
          <span>
            {t('boards.ofTarget', {
              percent: textOf(share * 100, '%', { decimals: 0 }),
              target: textOf(target, units, settings),
            })}
          </span>
        ) : null}
      </div>
      <KpiOriginButton kpi={kpi} question={question} title={title} />
      {share !== null ? (
        <div className={classes.target} role="presentation">
          <span style={{ width: `${Math.max(0, Math.min(100, share * 100))}%` }} />
        </div>
      ) : null}
      {hasLine ? (
        <Spark points={pointsOf(starts, series, answer.data.computedAt)} title={title} zone={zone} grows />
      ) : null}
    </div>
  );
}

/** The points of the line. A part of a day does not compare with whole days, so incomplete intervals are marked. */
function pointsOf(starts: readonly number[], avg: (number | null)[], computedAt: number) {
  const times = starts.slice(0, -1);
  const partial = [...partialIntervals(starts, computedAt)].flatMap((i) => times[i] ?? []);
  return { times, avg, partial, stepMs: (starts.at(-1) ?? 0) - (times.at(-1) ?? 0) };
}

/** The answer for the entity of the board, and what was asked, for where the figure comes from. */
function useKpiAnswer(
  kpi: NamedKpi | undefined,
  figure: KpiFigure | undefined,
  ownRange: string | undefined,
) {
  const { wg, entityId: entity, kpis: ofDisplay } = useBoard();
  const isInSight = useContext(InSight);
  const { range, text, interval } = useKpiRange(ownRange);
  const question = useMemo(() => ({ ...range, entity, interval, detail: false }), [range, interval, entity]);
  const { _id, version } = kpi ?? NO_KPI;
  const asked = { kpi: _id, value: figure?.value, entity, range: text, timezone: range.timezone, interval };
  const query = ofDisplay ? ofDisplay.answer(version, asked) : kpiAnswerQuery(wg, { _id, version }, question);
  const answer = useQuery({
    ...query,
    enabled: kpi !== undefined && isInSight,
    // The figure of the last minutes stays while the next one is computed, never that of another entity.
    placeholderData: (last) => (last?.entity === entity ? last : undefined),
  });
  return { answer, question };
}

const NO_KPI = { _id: '', version: 0 };

/** The value that is shown; undefined where the KPI has no such value any more. */
function resultOf<V extends { isPrimary: boolean }>(
  values: Readonly<Record<string, V>> | undefined,
  wanted: string | undefined,
): V | undefined {
  const name = wanted ?? (values && primaryOf(values));
  return values && name !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
}

const primaryOf = (values: Readonly<Record<string, { isPrimary: boolean }>>): string | undefined =>
  Object.keys(values).find((name) => values[name]?.isPrimary) ?? Object.keys(values)[0];
