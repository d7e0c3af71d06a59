import { Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatWhole } from '../units/numbers.ts';
import { formatValue } from '../units/units.ts';
import type { ChartSeries } from './series-data.ts';
import { pointTime } from './time-axis.ts';
import classes from './time-series-chart.module.css';

/** Rows that the table shows; the file has all of them. */
const MOST_ROWS = 500;

interface ChartTableProps {
  label: string;
  series: readonly ChartSeries[];
  timeZone: string;
}

/** The same points as a table, newest first, for those who do not see the lines. */
export function ChartTable({ label, series, timeZone }: ChartTableProps) {
  const { t } = useTranslation();
  const times = [...new Set(series.flatMap((one) => one.points.times))].sort((a, b) => b - a);
  const shown = times.slice(0, MOST_ROWS);
  const columns = series.map((one) => new Map(one.points.times.map((time, i) => [time, one.points.avg[i]])));
  const stepMs = Math.max(...series.map((one) => one.points.stepMs), 0) || 1000;
  return (
    <section className={classes.table} aria-label={t('chart.valuesOf', { title: label })}>
      <Table stickyHeader fz="xs" verticalSpacing={4} tabularNums>
        <Table.Caption>
          {times.length > MOST_ROWS
            ? t('chart.newestPoints', { most: formatWhole(MOST_ROWS), text: formatWhole(times.length) })
            : t('chart.points', { count: times.length, text: formatWhole(times.length) })}
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('chart.time')}</Table.Th>
            {series.map((one) => (
              <Table.Th key={one.id}>{one.label}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((time) => (
            <Table.Tr key={time}>
              <Table.Td>{pointTime(time, stepMs, timeZone)}</Table.Td>
              {series.map(({ id, units, points }, index) => (
                <Table.Td key={id}>
                  {formatValue(columns[index]?.get(time), units)}
                  {points.partial?.includes(time) ? ` (${t('chart.incomplete')})` : null}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
