import type { DeviceGroup } from '@albedo/contract/device-groups/device-groups.schema';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { membersQuery } from '../members/members.queries.ts';
import { boundText } from './composition-text.ts';
import classes from './device-groups.module.css';

/** Who is bound to the group; their names for those who may see the members of the workgroup. */
export function GroupPeople({ group }: { group: DeviceGroup }) {
  const { t } = useTranslation();
  const maySee = [usePermission('manageAccess'), usePermission('wgMembers')].includes(true);
  return (
    <Section title={t('deviceGroups.boundTo')} context={boundText(t, group)}>
      {maySee && group.members > 0 ? (
        <People group={group._id} />
      ) : (
        <p className={classes.note}>
          {t(group.members > 0 ? 'deviceGroups.namesHidden' : 'deviceGroups.nobodyText')}
        </p>
      )}
    </Section>
  );
}

function People({ group }: { group: string }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(membersQuery(wg));
  if (error) return <ErrorState title={t('members.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={80} />;
  return (
    <ul className={classes.people}>
      {data
        .filter(({ devGroup }) => devGroup === group)
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
