import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import type { PlantGlance } from '@albedo/contract/glance/glance.schema';
import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { markOf } from '../../../../app/glance/glance-text.ts';
import { countBySeverity } from '../../../../app/incidents/gravity.ts';
import { PlacesMap } from '../../../../ui/map-view/places-map.tsx';
import type { MapPlace } from '../../../../ui/map-view/position.ts';
import { useBoard } from '../../board-context.ts';
import { levelOf, textOf } from '../../levels.ts';
import { useFigures } from '../../use-figures.ts';
import { useIncidentsOf } from '../../use-incidents-of.ts';
import { usePlants } from '../../use-plants.ts';
import type { WidgetProps } from '../../widget.ts';
import { useWidgetData } from '../../widget-data.ts';
import { WidgetNote } from '../../widget-error.tsx';
import { positionOf, useLinesOfRows, useRows } from '../rows.ts';

/** Where the entities are, each with its figure. */
export function MapBoardView({ settings, title }: WidgetProps<SettingsOf<'map'>>) {
  const { t } = useTranslation();
  const { openEntity } = useBoard();
  const { stream, function: fn } = settings;
  const rows = useRows(settings.rows, settings.label);
  const byRow = useLinesOfRows(rows, stream);
  const lines = useMemo(() => byRow.filter((line) => line !== null), [byRow]);
  const incidentsOf = useIncidentsOf();
  const { plants } = usePlants();
  const { figures } = useFigures({ lines, fn, range: settings.range });
  const places = useMemo(() => {
    const byKey = new Map(figures.map((one) => [one.line.key, one]));
    return rows.flatMap((entity, at) => {
      const position = positionOf(entity);
      if (!position) return [];
      const figure = byKey.get(byRow[at]?.key ?? '');
      const value = figure?.value ?? null;
      const units = fn === 'count' ? null : (figure?.line.units ?? null);
      const open = incidentsOf(entity._id);
      const said = [
        ...(figure && value !== null ? [textOf(value, units, settings)] : []),
        ...countBySeverity(open).map(({ severity, count }) => `${count} ${severity.name}`),
      ];
      const own = plants
        ?.filter(({ under }) => under.has(entity._id))
        .map(({ plant }) => levelOfPlant(plant));
      const level = worstOf([levelOf(value, settings.thresholds), ...(own ?? [])]);
      return [
        {
          id: entity._id,
          name: entity.name,
          ...position,
          text: said.join(' · ') || null,
          level: open[0] ? levelOfIncident(open[0], level) : level,
        },
      ];
    });
  }, [rows, byRow, figures, fn, settings, incidentsOf, plants]);
  useWidgetData({
    head: ['name', 'latitude', 'longitude', 'value'].map((one) => t(`boards.mapColumns.${one}`)),
    rows: places.map(({ name, latitude, longitude, text }) => [
      name,
      String(latitude),
      String(longitude),
      text ?? '',
    ]),
  });
  if (places.length === 0)
    return <WidgetNote text={t(rows.length === 0 ? 'boards.noRows' : 'boards.noPositions')} />;
  return <PlacesMap places={places} label={title} onOpen={openEntity} />;
}

/** The same mark as in the list of plants beside it. */
const levelOfPlant = (plant: PlantGlance): MapPlace['level'] => {
  const mark = markOf(plant);
  return mark === 'unknown'
    ? 'danger'
    : mark === 'ok' || mark === 'warning' || mark === 'danger'
      ? mark
      : null;
};

const worstOf = (levels: readonly MapPlace['level'][]): MapPlace['level'] =>
  (['danger', 'warning', 'ok'] as const).find((level) => levels.includes(level)) ?? null;

/** What is wrong counts where the figure alone would say less. */
const levelOfIncident = ({ severity }: Incident, level: MapPlace['level']): MapPlace['level'] =>
  severity.rank === 0 || level === 'danger' ? 'danger' : 'warning';
