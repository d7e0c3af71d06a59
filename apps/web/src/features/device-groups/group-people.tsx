import type { DeviceGroup } from '@albedo/contract/device-groups/device-groups.schema';
import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { announced } from '../../app/inside.ts';
import { usePermission } from '../../app/permissions.ts';
import { Section } from '../../ui/section.tsx';
import { boundText } from './composition-text.ts';
import classes from './device-groups.module.css';

/** The members of the group; names only for people who may see the members of the workgroup. */
export function GroupPeople({ group }: { group: DeviceGroup }) {
  const { t } = useTranslation();
  const maySee = [usePermission('manageAccess'), usePermission('wgMembers')].includes(true);
  return (
    <Section title={t('deviceGroups.boundTo')} context={boundText(t, group)}>
      {maySee && group.members > 0 ? (
        <Suspense fallback={<Skeleton height={80} />}>
          {announced('deviceGroup').map(({ at, Content }) => (
            <Content key={at} group={group} />
          ))}
        </Suspense>
      ) : (
        <p className={classes.note}>
          {t(group.members > 0 ? 'deviceGroups.namesHidden' : 'deviceGroups.nobodyText')}
        </p>
      )}
    </Section>
  );
}
