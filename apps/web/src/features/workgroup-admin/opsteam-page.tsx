import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { announced } from '../../app/inside.ts';
import { Page } from '../../ui/page.tsx';
import { TableSkeleton } from '../../ui/states.tsx';
import { TabList } from '../../ui/tab-list.tsx';
import classes from '../../ui/tabbed.module.css';

/** What the provider's staff looks after. Each tab fills the height and brings its own buttons. */
export function OpsteamPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { tab } = useSearch({ strict: false }) as { tab?: string };
  const tabs = announced('opsteam');
  const shown = tabs.find(({ id }) => id === tab) ?? tabs[0];
  if (!shown) return null;
  return (
    <Page isFilling title={t('opsteam.title')} context={t(shown.context ?? '')}>
      <Tabs
        value={shown.id}
        className={classes.tabs ?? ''}
        keepMounted={false}
        onChange={(next) => next && void navigate({ to: '/opsteam', search: { tab: next } as never })}
      >
        <TabList shown={shown.id} tabs={tabs.map(({ id, title }) => ({ id, title: t(title) }))} />
        <Tabs.Panel value={shown.id} className={classes.panel ?? ''}>
          <Suspense fallback={<TableSkeleton rows={6} />}>
            <shown.Content />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
