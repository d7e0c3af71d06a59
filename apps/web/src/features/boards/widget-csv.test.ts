import { expect, it } from 'vitest';
import { dataToCsv } from './widget-csv.ts';

it('what a widget shows is a file of CSV with its head, and no text in it runs as a formula', () => {
  expect(
    dataToCsv({
      head: ['Value of', 'Value'],
      rows: [
        ['Roof, east', '12.5'],
        ['=1+1', '-3'],
      ],
    }),
  ).toBe('Value of,Value\r\n"Roof, east",12.5\r\n\'=1+1,-3\r\n');
});

it('a file keeps instants in UTC', () => {
  expect(dataToCsv({ head: ['Time'], rows: [[new Date(0)]] })).toBe('Time\r\n1970-01-01T00:00:00.000Z\r\n');
});
