import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { PlacesMap } from '../../../../ui/map-view/places-map.tsx';
import { useBoard } from '../../board-context.ts';
import { levelOf, textOf } from '../../levels.ts';
import { useFigures } from '../../use-figures.ts';
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
  const { figures } = useFigures({ lines, fn, range: settings.range });
  const places = useMemo(() => {
    const byKey = new Map(figures.map((one) => [one.line.key, one]));
    return rows.flatMap((entity, at) => {
      const position = positionOf(entity);
      if (!position) return [];
      const figure = byKey.get(byRow[at]?.key ?? '');
      const value = figure?.value ?? null;
      const units = fn === 'count' ? null : (figure?.line.units ?? null);
      const text = figure && value !== null ? textOf(value, units, settings) : null;
      return [
        { id: entity._id, name: entity.name, ...position, text, level: levelOf(value, settings.thresholds) },
      ];
    });
  }, [rows, byRow, figures, fn, settings]);
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
