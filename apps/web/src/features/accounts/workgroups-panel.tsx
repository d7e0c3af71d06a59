import { scopeIn } from '@albedo/contract/access/permissions';
import type { UserProfile } from '@albedo/contract/accounts/accounts.schema';
import { Radio, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import { useSignedIn } from '../../app/session.ts';
import { useWork } from '../../app/use-submit.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { saveSetting, useSettings } from '../settings/settings.queries.ts';
import { workgroupsQuery } from '../workgroups/workgroups.queries.ts';
import { saveProfile } from './accounts.queries.ts';
import classes from './profile-panels.module.css';

/** The person's role in each workgroup, where they start after signing in, and which ones the selector leaves out. */
export function WorkgroupsPanel({ profile }: { profile: UserProfile }) {
  const { t } = useTranslation();
  const { user, workgroup: current } = useSignedIn();
  const { hiddenOrgs = [] } = useSettings();
  const { data: workgroups, error, refetch } = useQuery(workgroupsQuery);
  const { isWorking, work } = useWork((error) => notifyFailure(t('profile.notSaved'), error));

  const chooseDefault = (name: string, displayName: string) =>
    void work(async () => {
      await saveProfile({ defaultWorkgroup: name });
      notifyDone(t('profile.defaultChanged', { workgroup: displayName }));
    });
  const setHidden = (name: string, isHidden: boolean) => {
    const others = hiddenOrgs.filter((one) => one !== name);
    void work(() => saveSetting('hiddenOrgs', isHidden ? [...others, name] : others));
  };

  if (error)
    return <ErrorState title={t('profile.workgroupsFailed')} error={error} onRetry={() => void refetch()} />;
  if (!workgroups) return <TableSkeleton rows={4} />;
  const usual = profile.defaultWorkgroup ?? user.defaultWorkgroup;
  return (
    <Section title={t('profile.workgroups')} isFlush>
      <ul className={classes.workgroups}>
        {workgroups.map(({ name, displayName }) => (
          <li key={name} className={classes.workgroup}>
            <div className={classes.who}>
              <strong>{displayName}</strong>
              <span>{t(`members.roles.${scopeIn(user, name)?.role ?? 'readonly'}`)}</span>
            </div>
            <Radio
              name="default-workgroup"
              label={t('profile.default')}
              aria-label={t('profile.defaultOf', { workgroup: displayName })}
              checked={name === usual}
              disabled={isWorking}
              onChange={() => chooseDefault(name, displayName)}
            />
            <Switch
              label={t('profile.shown')}
              aria-label={t('profile.shownOf', { workgroup: displayName })}
              checked={!hiddenOrgs.includes(name)}
              disabled={isWorking}
              onChange={(event) => setHidden(name, !event.currentTarget.checked)}
              description={name === current && hiddenOrgs.includes(name) ? t('profile.shownWhileOpen') : null}
            />
          </li>
        ))}
      </ul>
      <p className={classes.hint}>{t('profile.workgroupsNote')}</p>
    </Section>
  );
}
