import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { announced } from '../../app/inside.ts';
import { Page } from '../../ui/page.tsx';
import { FormSkeleton } from '../../ui/skeletons.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { TabList } from '../../ui/tab-list.tsx';
import { profileQuery } from './accounts.queries.ts';
import classes from './profile-page.module.css';

/** What concerns the person who is signed in. */
export function ProfilePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { tab } = useSearch({ from: '/shell/profile' });
  const { data: profile, error, refetch } = useQuery(profileQuery);
  const tabs = announced('profile');
  const shown = tabs.find(({ id }) => id === tab) ?? tabs[0];
  if (!shown) return null;
  return (
    <Page title={t('profile.title')} context={profile?.email ?? '\u00a0'}>
      {error ? (
        <ErrorState title={t('profile.failed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <Tabs
          value={shown.id}
          onChange={(next) => next && void navigate({ to: '/profile', search: { tab: next } })}
          keepMounted={false}
        >
          <TabList shown={shown.id} tabs={tabs.map(({ id, title }) => ({ id, title: t(title) }))} />
          <Tabs.Panel value={shown.id} className={classes.panel}>
            <Suspense fallback={<FormSkeleton fields={4} />}>
              {profile ? <shown.Content profile={profile} /> : <FormSkeleton fields={4} />}
            </Suspense>
          </Tabs.Panel>
        </Tabs>
      )}
    </Page>
  );
}
