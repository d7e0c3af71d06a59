import { type CsvStyle, csvStyle } from '@albedo/contract/csv/csv-style.schema';
import { type CsvValue, csvText } from '@albedo/contract/csv/csv-writer';
import type { EnergyReport } from '@albedo/contract/energy/energy.schema';

/**
 * A report as a file: what is listed with its figures, then the total, then its periods.
 */
export function reportCsv(
  { columns, rows, total, periods, series, report }: EnergyReport,
  style: CsvStyle = csvStyle.parse({}),
): string {
  const head = ['name', 'device', 'table', 'source', 'day'].map((title) => ({ title }));
  const lines: CsvValue[][] = [
    ...rows.map(({ name, deviceId, table, source, day, values }) => [
      ...[name, deviceId, table, source, day],
      ...columns.map(({ key }) => values[key] ?? null),
    ]),
  ];
  if (report !== 'daily-energy-anomalies')
    lines.push(['total', null, null, null, null, ...columns.map(({ key }) => total.values[key] ?? null)]);
  if (series.length > 0) {
    const byKey = new Map(series.map(({ key, values }) => [key, values]));
    lines.push(
      ...periods.map((period, i) => [
        ...['total', null, null, null, period],
        ...columns.map(({ key }) => byKey.get(key)?.[i] ?? null),
      ]),
    );
  }
  return csvText([...head, ...columns.map(({ key, units }) => ({ title: key, units }))], lines, style);
}
