import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { baseUnit } from '../../../../ui/units/units.ts';
import { useBoard } from '../../board-context.ts';
import { levelOf, textOf } from '../../levels.ts';
import { useFigures } from '../../use-figures.ts';
import type { WidgetProps } from '../../widget.ts';
import { WidgetFailure, WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import classes from '../list.module.css';
import { ratedW, useLinesOfRows, usePlaces, useRows } from '../rows.ts';
import { EntityButton } from '../table/table-view.tsx';

/** Entities by one figure, the worst first. */
export function LeagueView({ settings }: WidgetProps<SettingsOf<'league'>>) {
  const { t } = useTranslation();
  const { openEntity } = useBoard();
  const { stream, function: fn, worst, isPerRated, most, thresholds } = settings;
  const rows = useRows(settings.rows, settings.label);
  const placeOf = usePlaces(rows);
  const byRow = useLinesOfRows(rows, stream);
  const lines = useMemo(() => byRow.filter((line) => line !== null), [byRow]);
  const { figures, isPending, error, retry } = useFigures({ lines, fn, range: settings.range });
  if (!stream) return <WidgetNote text={t('boards.choose')} />;
  if (rows.length === 0) return <WidgetNote text={t('boards.noRows')} />;
  if (error) return <WidgetFailure error={error} onRetry={retry} />;
  if (isPending && lines.length > 0) return <WidgetSkeleton />;
  const byKey = new Map(figures.map((one) => [one.line.key, one]));
  const ranked = rows.flatMap((entity, at) => {
    const line = byRow[at];
    const value = line ? byKey.get(line.key)?.value : null;
    if (!line || typeof value !== 'number') return [];
    const rated = isPerRated ? ratedW(entity) : null;
    if (isPerRated && rated === null) return [];
    const { unit, factor } = baseUnit(line.units);
    const shown = rated === null ? value : (value * factor) / rated;
    return [{ entity, value: shown, units: rated === null ? line.units : perRated(unit) }];
  });
  if (ranked.length === 0) return <WidgetNote text={t(isPerRated ? 'boards.noRated' : 'boards.noValue')} />;
  const way = worst === 'low' ? 1 : -1;
  const shown = ranked.toSorted((a, b) => way * (a.value - b.value)).slice(0, most);
  const highest = Math.max(...ranked.map(({ value }) => Math.abs(value)), 1e-9);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <div className={classes.scroll} tabIndex={0}>
      <ol className={classes.list}>
        {shown.map(({ entity, value, units }, at) => {
          const level = levelOf(value, thresholds) ?? undefined;
          return (
            <li key={entity._id}>
              <span className={classes.rank}>{at + 1}</span>
              <EntityButton entity={entity} place={placeOf(entity)} onOpen={openEntity} />
              <span className={classes.said} data-level={level}>
                {textOf(value, units, settings)}
              </span>
              <span className={classes.meter}>
                <span style={{ width: `${(100 * Math.abs(value)) / highest}%` }} data-level={level} />
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** Wh/W is the same number as kWh/kW, which people of the trade read. */
const perRated = (unit: string): string =>
  unit === 'Wh' ? 'kWh/kWp' : unit === 'W' ? 'kW/kWp' : `${unit}/Wp`;
