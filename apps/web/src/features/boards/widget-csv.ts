import { csvCell } from '../../ui/time-series-chart/chart-export.ts';
import type { Cell, WidgetData } from './widget-data.ts';

/** What a widget shows as CSV. */
export const dataToCsv = ({ head, rows }: WidgetData): string =>
  `${[head, ...rows].map((line) => line.map((cell) => csvCell(textOf(cell))).join(',')).join('\r\n')}\r\n`;

const textOf = (cell: Cell): string => (cell instanceof Date ? cell.toISOString() : cell);
