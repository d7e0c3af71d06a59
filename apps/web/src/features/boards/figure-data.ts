import type { ValueFunction } from '@albedo/contract/boards/widgets/value-functions';
import { t } from 'i18next';
import type { Figure } from './use-figures.ts';
import type { WidgetData } from './widget-data.ts';

/** A figure by its name, as a table shows it and a file keeps it: in its own unit, with all of its digits. */
export interface NamedFigure {
  name: string;
  value: number | string | null;
  units: string | null;
  /** When it was measured, epoch ms; null of what is made of a range. */
  at?: number | null;
}

/** Named figures as a table. */
export const namedData = (all: readonly NamedFigure[]): WidgetData => ({
  head: [t('boards.last.what'), t('boards.last.value'), t('boards.last.unit'), t('boards.last.at')],
  rows: all.map(({ name, value, units, at = null }) => [
    name,
    value ?? '',
    units ?? '',
    at === null ? '' : new Date(at),
  ]),
});

/** The only figure of a widget as a table; nothing as long as there is none. */
export const figureData = (
  title: string,
  figure: Figure | undefined,
  fn: ValueFunction,
): WidgetData | null =>
  figure
    ? namedData([
        { name: title, value: figure.value, units: fn === 'count' ? null : figure.line.units, at: figure.at },
      ])
    : null;
