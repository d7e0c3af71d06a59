import { csvCell } from '../../ui/time-series-chart/chart-export.ts';
import type { WidgetData } from './widget-data.ts';

/** What a widget shows as CSV. */
export const dataToCsv = ({ head, rows }: WidgetData): string =>
  `${[head, ...rows].map((line) => line.map(csvCell).join(',')).join('\r\n')}\r\n`;
