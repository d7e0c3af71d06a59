import { t } from 'i18next';
import { baseUnit } from '../../ui/units/units.ts';
import type { ChartLine } from './chart-lines.ts';
import { fieldName } from './field-name.ts';

export const LAYOUTS = ['unit', 'one', 'each'] as const;
/** A chart for each unit, one for everything, or one for each line. */
export type Layout = (typeof LAYOUTS)[number];

export interface PlannedChart {
  key: string;
  title: string;
  /** Places of its lines in the list of all lines. */
  lines: number[];
}

/** Which lines share a chart. `units` are those of the lines, in their order. */
export function planCharts(
  lines: readonly ChartLine[],
  units: readonly (string | null)[],
  layout: Layout,
  /** Lines that differ in this stand apart, however they are laid out. */
  apartBy: (place: number) => string = () => '',
): PlannedChart[] {
  const places = lines.map((_, place) => place);
  if (lines.length === 0) return [];
  if (layout === 'each') {
    return lines.map((line, place) => ({
      key: JSON.stringify(line),
      title: `${line.source} / ${fieldName(line.field)}`,
      lines: [place],
    }));
  }
  const groups = Map.groupBy(places, (place) => {
    const together = layout === 'one' ? 'all' : `unit ${baseUnit(units[place]).unit}`;
    return [together, apartBy(place)].filter(Boolean).join(' ');
  });
  return [...groups].map(([key, members]) => ({
    key,
    title: titleOf(members.flatMap((place) => lines[place] ?? [])),
    lines: members,
  }));
}

/** What the lines have in common, for people. */
export function titleOf(lines: readonly ChartLine[]): string {
  const names = (part: keyof ChartLine) => [...new Set(lines.map((line) => line[part]))];
  const [fields, sources] = [names('field'), names('source')];
  const field =
    fields.length <= 3
      ? fields.map(fieldName).join(', ')
      : t('telemetry.data.fieldCount', { count: fields.length });
  return sources.length === 1
    ? `${sources[0]} / ${field}`
    : t('telemetry.data.fieldOf', { field, count: sources.length });
}
