import type { DeviceSchedule } from '@albedo/contract/schedules/schedules.schema';
import { Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { EmptyState } from '../../ui/states.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { NO_VALUE } from '../../ui/units/numbers.ts';
import { WideTable } from '../../ui/wide-table.tsx';
import type { Holding } from './holding.ts';
import classes from './schedules.module.css';
import { StateBadge } from './state-badge.tsx';
import { endOf, stepsOf } from './steps.ts';
import { valueText } from './values.ts';
import { dayAndClock } from './when-text.ts';

interface DeviceScheduleListProps {
  schedules: readonly DeviceSchedule[];
  holding: Holding;
  zone: string;
  create: ReactNode;
}

const ORDER = { pending: 0, applied: 1, draft: 2 } as const;

/** Schedules of one setpoint: what holds and what waits first, then drafts, the newest first. */
export function DeviceScheduleList({ schedules, holding, zone, create }: DeviceScheduleListProps) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  if (schedules.length === 0)
    return (
      <EmptyState title={t('schedules.none')} text={t('schedules.noneText')}>
        {create}
      </EmptyState>
    );
  const sorted = schedules.toSorted((a, b) => ORDER[a.state] - ORDER[b.state] || b.changedAt - a.changedAt);
  return (
    <WideTable label={t('schedules.ofDevice')} leastPx={620}>
      <Table.Thead>
        <Table.Tr>
          {(['name', 'state', 'steps', 'changed'] as const).map((head) => (
            <Table.Th key={head}>{t(`schedules.columns.${head}`)}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sorted.map((one) => (
          <Table.Tr key={one._id}>
            <Table.Td>
              <Link
                to="/control/devices/$deviceId/$schedule"
                params={{ deviceId: one.deviceId, schedule: one._id }}
              >
                {one.name}
              </Link>
              {one._id === holding.setpoint.currentDeviceSchedule ? (
                <span className={classes.mark}>{t('schedules.isCurrent')}</span>
              ) : null}
              {one.state === 'draft' && one.reason ? <div className={classes.why}>{one.reason}</div> : null}
            </Table.Td>
            <Table.Td>
              <StateBadge schedule={one} />
            </Table.Td>
            <Table.Td className="tabular">{spanText(one)}</Table.Td>
            <Table.Td>
              {[agoText(one.changedAt, now), one.editors.at(-1) ?? one.author].filter(Boolean).join(', ')}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );

  function spanText(one: DeviceSchedule): string {
    const steps = stepsOf(one);
    const [first] = steps;
    if (!first) return t('schedules.noSteps');
    const end = endOf(one) ?? (steps.at(-1)?.value === '' ? (steps.at(-1)?.at ?? null) : null);
    const kind = holding.setpoint.kind;
    const values = new Set(steps.flatMap(({ value }) => (value === '' ? [] : [valueText(t, kind, value)])));
    const what = values.size > 3 ? t('schedules.stepCount', { count: steps.length }) : [...values].join(', ');
    return `${what || NO_VALUE} · ${dayAndClock(first.at, zone)} – ${end === null ? t('schedules.noEnd') : dayAndClock(end, zone)}`;
  }
}
