import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../ui/page.tsx';
import { TableSkeleton } from '../ui/states.tsx';
import { TabList } from '../ui/tab-list.tsx';
import classes from './tabbed.module.css';

interface OpsTab {
  /** As it stands in the address; its title is the text `opsteam.tabs.<id>`, its line of context `opsteam.context.<id>`. */
  id: string;
  Content: ComponentType;
}

/** Each fills the height under the tabs and brings its own buttons. */
const TABS: readonly OpsTab[] = [
  {
    id: 'workgroups',
    Content: lazy(async () => ({
      default: (await import('../features/workgroups/workgroup-table.tsx')).WorkgroupTable,
    })),
  },
  {
    id: 'users',
    Content: lazy(async () => ({
      default: (await import('../features/workgroups/user-table.tsx')).UserTable,
    })),
  },
  {
    id: 'requests',
    Content: lazy(async () => ({
      default: (await import('../features/workgroup-requests/request-list.tsx')).RequestList,
    })),
  },
  {
    id: 'tickets',
    Content: lazy(async () => ({
      default: (await import('../features/support/ticket-table.tsx')).TicketTable,
    })),
  },
  {
    id: 'announcements',
    Content: lazy(async () => ({
      default: (await import('../features/announcements/announcement-table.tsx')).AnnouncementTable,
    })),
  },
  {
    id: 'branding',
    Content: lazy(async () => ({
      default: (await import('../features/branding/host-brands.tsx')).HostBrands,
    })),
  },
  {
    id: 'audit',
    Content: lazy(async () => ({
      default: (await import('../features/audit/provider-log.tsx')).ProviderLog,
    })),
  },
  {
    id: 'versions',
    Content: lazy(async () => ({
      default: (await import('../features/workgroups/versions-panel.tsx')).VersionsPanel,
    })),
  },
];

/** What the provider's staff looks after. */
export function OpsteamPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { tab } = useSearch({ strict: false }) as { tab?: string };
  const shown = TABS.find(({ id }) => id === tab) ?? TABS[0];
  if (!shown) return null;
  const { id, Content } = shown;
  return (
    <Page isFilling title={t('opsteam.title')} context={t(`opsteam.context.${id}`)}>
      <Tabs
        value={id}
        className={classes.tabs ?? ''}
        keepMounted={false}
        onChange={(next) => next && void navigate({ to: '/opsteam', search: { tab: next } as never })}
      >
        <TabList shown={id} tabs={TABS.map((one) => ({ id: one.id, title: t(`opsteam.tabs.${one.id}`) }))} />
        <Tabs.Panel value={id} className={classes.panel ?? ''}>
          <Suspense fallback={<TableSkeleton rows={6} />}>
            <Content />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
