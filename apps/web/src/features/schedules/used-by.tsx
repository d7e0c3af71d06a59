import { kindOfPath } from '@albedo/contract/schedules/schedules.names';
import type { Schedule } from '@albedo/contract/schedules/schedules.schema';
import { Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { kindText } from './holding-text.ts';
import classes from './schedules.module.css';
import { deviceSchedulesQuery } from './schedules.queries.ts';
import { StateBadge } from './state-badge.tsx';

/** Devices that have a schedule made of this one, and how it stands there. */
export function UsedBy({ schedule }: { schedule: Schedule }) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const wg = useWorkgroup();
  const { data: all = [] } = useQuery(deviceSchedulesQuery(wg));
  const { data: devices = [] } = useQuery(deviceListQuery(wg));
  const own = all.filter((one) => one.schedule === schedule._id);
  const nameOf = (id: string) => devices.find((one) => one.id === id)?.name ?? id;
  return (
    <Section
      title={t('schedules.shared.usedBy')}
      context={t('schedules.shared.usedByContext')}
      isFlush={own.length > 0}
    >
      {own.length === 0 ? <p className={classes.hint}>{t('schedules.shared.unused')}</p> : null}
      {own.length > 0 ? (
        <Table verticalSpacing={6} horizontalSpacing="md">
          <Table.Tbody>
            {own.map((one) => (
              <Table.Tr key={one._id}>
                <Table.Td>
                  <Link
                    to="/control/devices/$deviceId/$schedule"
                    params={{ deviceId: one.deviceId, schedule: one._id }}
                  >
                    {nameOf(one.deviceId)}
                  </Link>
                  <div className={classes.why}>{kindText(t, kindOfPath(one.setpoint))}</div>
                </Table.Td>
                <Table.Td>
                  <StateBadge schedule={one} />
                </Table.Td>
                <Table.Td>{agoText(one.changedAt, now)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      ) : null}
    </Section>
  );
}
