import { Skeleton, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { profileQuery } from '../features/accounts/accounts.queries.ts';
import { DetailsPanel } from '../features/accounts/details-panel.tsx';
import { OwnSignIn } from '../features/accounts/own-sign-in.tsx';
import { PasswordPanel } from '../features/accounts/password-panel.tsx';
import { SessionsPanel } from '../features/accounts/sessions-panel.tsx';
import { VersionPanel } from '../features/accounts/version-panel.tsx';
import { WorkgroupsPanel } from '../features/accounts/workgroups-panel.tsx';
import { MfaPanel } from '../features/mfa/mfa-panel.tsx';
import { PasskeyPanel } from '../features/passkeys/passkey-panel.tsx';
import { AppearancePanel } from '../features/settings/appearance-panel.tsx';
import { Page } from '../ui/page.tsx';
import { ErrorState } from '../ui/states.tsx';
import { TabList } from '../ui/tab-list.tsx';
import classes from './profile.module.css';

const TABS = ['details', 'security', 'workgroups', 'appearance', 'version'] as const;

export function ProfilePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { tab } = useSearch({ from: '/shell/profile' });
  const { data: profile, error, refetch } = useQuery(profileQuery);
  const shown = TABS.find((one) => one === tab) ?? TABS[0];
  return (
    <Page title={t('profile.title')} context={profile?.email ?? '\u00a0'}>
      {error ? (
        <ErrorState title={t('profile.failed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <Tabs
          value={shown}
          onChange={(next) => next && void navigate({ to: '/profile', search: { tab: next } })}
          keepMounted={false}
        >
          <TabList shown={shown} tabs={TABS.map((id) => ({ id, title: t(`profile.tabs.${id}`) }))} />
          <Tabs.Panel value={shown} className={classes.panel}>
            {profile ? null : <Skeleton height={240} />}
            {profile && shown === 'details' ? <DetailsPanel profile={profile} /> : null}
            {profile && shown === 'security' ? (
              <>
                <OwnSignIn profile={profile}>
                  <PasswordPanel />
                  <MfaPanel profile={profile} />
                  <PasskeyPanel />
                </OwnSignIn>
                <SessionsPanel />
              </>
            ) : null}
            {profile && shown === 'workgroups' ? <WorkgroupsPanel profile={profile} /> : null}
            {profile && shown === 'appearance' ? <AppearancePanel /> : null}
            {profile && shown === 'version' ? <VersionPanel /> : null}
          </Tabs.Panel>
        </Tabs>
      )}
    </Page>
  );
}
