import type { DeviceGroup } from '@albedo/contract/device-groups/device-groups.schema';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { ErrorState } from '../../ui/states.tsx';
import classes from './members.module.css';
import { membersQuery } from './members.queries.ts';

/** The members of a device group by name. */
export function GroupMembers({ group }: { group: DeviceGroup }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(membersQuery(wg));
  if (error) return <ErrorState title={t('members.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={80} />;
  return (
    <ul className={classes.people}>
      {data
        .filter(({ devGroup }) => devGroup === group._id)
        .map(({ _id, name, email, role }) => (
          <li key={_id} className={classes.person}>
            <span>{name}</span>
            <span className={classes.note}>
              {t(`members.roles.${role}`)} · {email}
            </span>
          </li>
        ))}
    </ul>
  );
}
