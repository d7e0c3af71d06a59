import { t } from 'i18next';
import { baseUnit } from '../../ui/units/units.ts';
import type { ChartLine } from './chart-lines.ts';
import type { Layout } from './use-data-address.ts';

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
): PlannedChart[] {
  const places = lines.map((_, place) => place);
  if (lines.length === 0) return [];
  if (layout === 'one') return [{ key: 'all', title: titleOf(lines), lines: places }];
  if (layout === 'each') {
    return lines.map((line, place) => ({
      key: JSON.stringify(line),
      title: `${line.source} / ${line.field}`,
      lines: [place],
    }));
  }
  const byUnit = Map.groupBy(places, (place) => baseUnit(units[place]).unit);
  return [...byUnit].map(([unit, members]) => ({
    key: `unit ${unit}`,
    title: titleOf(members.flatMap((place) => lines[place] ?? [])),
    lines: members,
  }));
}

/** What the lines have in common, for people. */
export function titleOf(lines: readonly ChartLine[]): string {
  const names = (part: keyof ChartLine) => [...new Set(lines.map((line) => line[part]))];
  const [fields, sources] = [names('field'), names('source')];
  const field =
    fields.length <= 3 ? fields.join(', ') : t('telemetry.data.fieldCount', { count: fields.length });
  return sources.length === 1
    ? `${sources[0]} / ${field}`
    : t('telemetry.data.fieldOf', { field, count: sources.length });
}
