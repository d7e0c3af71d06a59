import type { EnergyReport } from '@albedo/contract/energy/energy.schema';
import Papa from 'papaparse';

/**
 * A report as a file: what is listed with its figures, then the total, then its periods. Dots are decimal signs; what a
 * spreadsheet would take for a formula stays text.
 */
export function reportCsv({ columns, rows, total, periods, series, report }: EnergyReport): string {
  const heads = columns.map(({ key, units }) => (units === '' ? key : `${key} [${units}]`));
  const lines: (string | number | null)[][] = [
    ['name', 'device', 'table', 'source', 'day', ...heads],
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
  return `${Papa.unparse(lines, { escapeFormulae: true })}\r\n`;
}
