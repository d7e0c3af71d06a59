import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { baseUnit, formatValue } from '../../../../ui/units/units.ts';
import { useBoard } from '../../board-context.ts';
import { namedData } from '../../figure-data.ts';
import { levelOf, textsTogether } from '../../levels.ts';
import { useFigures } from '../../use-figures.ts';
import type { WidgetProps } from '../../widget.ts';
import { useWidgetData } from '../../widget-data.ts';
import { WidgetFailure, WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import { KpiOriginDialog, type OriginProps } from '../kpi/kpi-origin.tsx';
import { ENOUGH } from '../kpi/use-kpi.ts';
import { useKpiRows } from '../kpi/use-kpi-rows.ts';
import classes from '../list.module.css';
import { ratedW, useLinesOfRows, usePlaces, useRows } from '../rows.ts';
import { EntityButton } from '../table/table-view.tsx';

type Settings = SettingsOf<'league'>;

/** Entities by one figure, the worst first. */
export function LeagueView({ settings }: WidgetProps<Settings>) {
  const { t } = useTranslation();
  const rows = useRows(settings.rows, settings.label);
  if (!(settings.by === 'kpi' ? settings.figure : settings.stream))
    return <WidgetNote text={t(settings.by === 'kpi' ? 'boards.kpi.choose' : 'boards.choose')} />;
  if (rows.length === 0) return <WidgetNote text={t('boards.noRows')} />;
  const Ranked = settings.by === 'kpi' ? ByKpi : ByStream;
  return <Ranked settings={settings} rows={rows} />;
}

interface RankedProps {
  settings: Settings;
  rows: readonly Entity[];
}

function ByStream({ settings, rows }: RankedProps) {
  const { t } = useTranslation();
  const { stream, function: fn, isPerRated } = settings;
  const byRow = useLinesOfRows(rows, stream);
  const lines = useMemo(() => byRow.filter((line) => line !== null), [byRow]);
  const { figures, isPending, error, retry } = useFigures({ lines, fn, range: settings.range });
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
  return <RankedList settings={settings} all={rows} ranked={ranked} />;
}

function ByKpi({ settings, rows }: RankedProps) {
  const { t } = useTranslation();
  const { isDisplay } = useBoard();
  const { column, title, isGone, error, retry } = useKpiRows(settings.figure, rows, settings.range);
  if (isGone) return <WidgetNote text={t('boards.kpi.gone')} isBad />;
  if (error && !column) return <WidgetFailure error={error} onRetry={retry} />;
  if (!column) return <WidgetSkeleton />;
  const { kpi, units, cells, questionOf } = column;
  const ranked = rows.flatMap((entity, at): Ranked[] => {
    const { value = null, coverage = null } = cells[at] ?? {};
    if (value === null) return [];
    const origin = { kpi, question: questionOf(entity._id), title: `${entity.name}: ${title}` };
    return [{ entity, value, units, coverage, ...(isDisplay ? {} : { origin }) }];
  });
  if (ranked.length === 0) return <WidgetNote text={t('boards.kpi.noValues')} />;
  return <RankedList settings={settings} all={rows} ranked={ranked} />;
}

interface Ranked {
  entity: Entity;
  value: number;
  units: string | null;
  /** Of a KPI: how much of the range is known, and where the figure comes from. */
  coverage?: number | null;
  origin?: OriginProps;
}

interface RankedListProps {
  settings: Settings;
  all: readonly Entity[];
  ranked: readonly Ranked[];
}

function RankedList({ settings, all, ranked }: RankedListProps) {
  const { t } = useTranslation();
  const { openEntity, isEditing } = useBoard();
  const placeOf = usePlaces(all);
  const [opened, setOpened] = useState<OriginProps | null>(null);
  const { worst, most, thresholds } = settings;
  const way = worst === 'low' ? 1 : -1;
  const shown = ranked.toSorted((a, b) => way * (a.value - b.value)).slice(0, most);
  const texts = textsTogether(shown, settings);
  useWidgetData(
    namedData(
      shown.map(({ entity, value, units }) => ({
        name: [entity.name, placeOf(entity)].filter(Boolean).join(', '),
        value,
        units,
      })),
    ),
  );
  const highest = Math.max(...ranked.map(({ value }) => Math.abs(value)), 1e-9);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <div className={classes.scroll} tabIndex={0}>
      <ol className={classes.list}>
        {shown.map(({ entity, value, coverage = null, origin }, at) => {
          const level = levelOf(value, thresholds) ?? undefined;
          const text = texts[at];
          return (
            <li key={entity._id}>
              <span className={classes.rank}>{at + 1}</span>
              <EntityButton entity={entity} place={placeOf(entity)} onOpen={openEntity} />
              <span className={classes.said} data-level={level}>
                {coverage !== null && coverage < ENOUGH ? (
                  <small>{t('boards.kpi.knownShort', { share: formatValue(coverage * 100, '%') })} </small>
                ) : null}
                {origin && !isEditing ? (
                  <button
                    type="button"
                    className={classes.origin}
                    title={t('boards.origin.open', { title: origin.title })}
                    onClick={() => setOpened(origin)}
                  >
                    {text}
                  </button>
                ) : (
                  text
                )}
              </span>
              <span className={classes.meter}>
                <span style={{ width: `${(100 * Math.abs(value)) / highest}%` }} data-level={level} />
              </span>
            </li>
          );
        })}
      </ol>
      <KpiOriginDialog of={opened} onClose={() => setOpened(null)} />
    </div>
  );
}

/** Wh/W is the same number as kWh/kW, which people of the trade read. */
const perRated = (unit: string): string =>
  unit === 'Wh' ? 'kWh/kWp' : unit === 'W' ? 'kW/kWp' : `${unit}/Wp`;
