import type { DeviceSchedule } from '@albedo/contract/schedules/schedules.schema';
import { Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { EmptyState } from '../../ui/states.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { WideTable } from '../../ui/wide-table.tsx';
import type { Holding } from './holding.ts';
import { nameText } from './holding-text.ts';
import classes from './schedules.module.css';
import { spanText } from './span-text.ts';
import { StateBadge } from './state-badge.tsx';

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
                {one.origin === 'override' ? t('schedules.byHandOf', { value: nameText(t, one) }) : one.name}
              </Link>
              {one._id === holding.setpoint.currentDeviceSchedule ? (
                <span className={classes.mark}>{t('schedules.isCurrent')}</span>
              ) : null}
              {one.state === 'draft' && one.reason ? <div className={classes.why}>{one.reason}</div> : null}
            </Table.Td>
            <Table.Td>
              <StateBadge schedule={one} />
            </Table.Td>
            <Table.Td className="tabular">{spanText(t, one, zone)}</Table.Td>
            <Table.Td>
              {[agoText(one.changedAt, now), one.editors.at(-1) ?? one.author].filter(Boolean).join(', ')}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}
