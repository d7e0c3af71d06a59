import type { ScheduleVersion } from '@albedo/contract/schedules/schedules.schema';
import type { SetpointKind } from '@albedo/contract/schedules/setpoints';
import { Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { WideTable } from '../../ui/wide-table.tsx';
import classes from './schedules.module.css';
import { StepChart } from './step-chart.tsx';
import { differencesOf, endOf, stepsOf } from './steps.ts';
import { axisOf, valueText } from './values.ts';

interface VersionComparisonProps {
  older: ScheduleVersion;
  newer: ScheduleVersion;
  kind: SetpointKind;
  zone: string;
}

const DAY = 86_400_000;
/** Differences that are listed; the chart has all. */
const LISTED = 100;

/** Two versions over one another, and the times in which they say something else. */
export function VersionComparison({ older, newer, kind, zone }: VersionComparisonProps) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const [was, is] = [older, newer].map((one) => ({
    name: t('schedules.versions.number', { version: one.version }),
    steps: stepsOf(one),
    end: endOf(one),
  })) as [VersionLine, VersionLine];
  const differences = differencesOf(was, is);
  const values = [...was.steps, ...is.steps].map(({ value }) => value);
  const times = [was, is].flatMap(({ steps, end }) => [...steps.map(({ at }) => at), ...(end ? [end] : [])]);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const room = Math.max(DAY / 24, (to - from) * 0.05);
  const text = (value: string) => valueText(t, kind, value);
  return (
    <div className={classes.comparison}>
      <div className={classes.legend}>
        <span>
          <i /> {is.name}
        </span>
        <span>
          <i data-is-second /> {was.name}
        </span>
      </div>
      {times.length > 0 ? (
        <StepChart
          label={t('schedules.versions.compared', { older: older.version, newer: newer.version })}
          axis={axisOf(t, kind, values)}
          zone={zone}
          now={now}
          view={{ from: from - room, to: to + room }}
          lines={[is, was]}
          textOf={text}
        />
      ) : null}
      {differences.length === 0 ? (
        <p className={classes.hint}>{t('schedules.versions.same')}</p>
      ) : (
        <WideTable label={t('schedules.versions.differences')} leastPx={440}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('schedules.from')}</Table.Th>
              <Table.Th>{t('schedules.until')}</Table.Th>
              <Table.Th>{was.name}</Table.Th>
              <Table.Th>{is.name}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody className="tabular">
            {differences.slice(0, LISTED).map((one) => (
              <Table.Tr key={one.from}>
                <Table.Td>{formatInstant(one.from, zone, false)}</Table.Td>
                <Table.Td>
                  {one.to === null ? t('schedules.noEnd') : formatInstant(one.to, zone, false)}
                </Table.Td>
                <Table.Td>{text(one.was)}</Table.Td>
                <Table.Td>{text(one.now)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </WideTable>
      )}
    </div>
  );
}

interface VersionLine {
  name: string;
  steps: ReturnType<typeof stepsOf>;
  end: number | null;
}
