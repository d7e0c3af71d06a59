import type { UserProfile } from '@albedo/contract/accounts/accounts.schema';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { workgroupsQuery } from '../workgroups/workgroups.queries.ts';
import classes from './accounts.module.css';

/** Who one is, and what one is in which workgroup. */
export function DetailsPanel({ profile }: { profile: UserProfile }) {
  const { t } = useTranslation();
  const { user } = useSignedIn();
  const { data: workgroups = [] } = useQuery(workgroupsQuery);
  return (
    <>
      <Section title={t('profile.details')}>
        <dl className={classes.facts}>
          <dt>{t('profile.name')}</dt>
          <dd>{profile.name}</dd>
          <dt>{t('login.email')}</dt>
          <dd>{profile.email}</dd>
        </dl>
      </Section>
      <Section title={t('profile.workgroups')}>
        <dl className={classes.facts}>
          {workgroups.map(({ name, displayName }) => (
            <div key={name} className={classes.fact}>
              <dt>{displayName}</dt>
              <dd>{t(`members.roles.${user.scopes[name]?.role ?? 'readonly'}`)}</dd>
            </div>
          ))}
        </dl>
      </Section>
    </>
  );
}
