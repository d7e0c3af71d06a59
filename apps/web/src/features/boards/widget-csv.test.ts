import { csvStyle } from '@albedo/contract/csv/csv-style.schema';
import { csvText } from '@albedo/contract/csv/csv-writer';
import { expect, it } from 'vitest';
import { tableOf } from './widget-csv.ts';
import type { WidgetData } from './widget-data.ts';

const written = (data: WidgetData, style: object = {}) => {
  const { columns, rows } = tableOf(data);
  return csvText(columns, rows, csvStyle.parse(style));
};

it('what a widget shows is a file of CSV with its head, and no text in it runs as a formula', () => {
  const rows = [
    ['Roof, east', 12.5],
    ['=1+1', -3],
  ];
  expect(written({ head: ['Value of', 'Value'], rows })).toBe(
    'Value of,Value\r\n"Roof, east",12.5\r\n\'=1+1,-3\r\n',
  );
});

it('a file has instants in the zone that was chosen', () => {
  const data = { head: ['Time'], rows: [[new Date(0)]] };
  expect(written(data)).toBe('Time\r\n1970-01-01T00:00:00Z\r\n');
  expect(written(data, { timezone: 'Europe/Berlin' })).toBe('Time\r\n1970-01-01T01:00:00+01:00\r\n');
});
