import type { CsvTable } from '../../ui/csv/csv-ask.ts';
import type { WidgetData } from './widget-data.ts';

/** What a widget shows as a file: a column of instants is one of times. */
export const tableOf = ({ head, rows }: WidgetData): CsvTable => ({
  columns: head.map((title, at) => ({ title, isTime: rows.some((row) => row[at] instanceof Date) })),
  rows,
});
