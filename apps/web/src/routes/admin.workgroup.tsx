import { Tabs } from '@mantine/core';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { denialOf, type RouteGuard, visitorOf } from '../app/guard.ts';
import { usePermission } from '../app/permissions.ts';
import { useSignedIn, useWorkgroup } from '../app/session.ts';
import { IdentityProvidersSection } from '../features/identity-providers/identity-providers-section.tsx';
import { MfaPolicy } from '../features/members/mfa-policy.tsx';
import { AddonPanel } from '../features/workgroups/addon-panel.tsx';
import { GeneralSection } from '../features/workgroups/general-section.tsx';
import classes from '../features/workgroups/workgroups.module.css';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/section.tsx';
import { TabList } from '../ui/tab-list.tsx';

interface WorkgroupTab {
  to: string;
  /** Keys of the language file. */
  title: string;
  context: string;
  guard: RouteGuard;
}

/** The tabs of Admin > Workgroup in their order, each with the guard of its route. */
const WORKGROUP_TABS: readonly WorkgroupTab[] = [
  {
    to: '/admin/workgroup/settings',
    title: 'workgroup.settings.title',
    context: 'workgroup.settings.context',
    guard: { permissions: ['coordinate'] },
  },
  {
    to: '/admin/workgroup/appearance',
    title: 'workgroup.appearance.title',
    context: 'workgroup.appearance.context',
    guard: { permissions: ['coordinate'] },
  },
  {
    to: '/admin/workgroup/addons',
    title: 'workgroup.addons.title',
    context: 'workgroup.addons.context',
    guard: { permissions: ['coordinate'], staff: true },
  },
  {
    to: '/admin/workgroup/lookup-tables',
    title: 'lookupTables.title',
    context: 'lookupTables.context',
    guard: { permissions: ['coordinate'] },
  },
  {
    to: '/admin/workgroup/device-groups',
    title: 'deviceGroups.title',
    context: 'deviceGroups.context',
    guard: { permissions: ['coordinate', 'manageAccess', 'manageDevices'] },
  },
];

/** Title and tabs around the screens of Admin > Workgroup. */
export function WorkgroupAdminPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const visitor = visitorOf(useSignedIn());
  const tabs = WORKGROUP_TABS.filter(({ guard }) => visitor !== null && denialOf(guard, visitor) === null);
  const shown = tabs.find(({ to }) => pathname.startsWith(to));
  return (
    <Page title={t('workgroup.title')} context={shown ? t(shown.context) : '\u00a0'}>
      <Tabs
        value={shown?.to ?? null}
        onChange={(next) => next && void navigate({ to: next })}
        keepMounted={false}
      >
        <TabList
          shown={shown?.to ?? null}
          tabs={tabs.map(({ to, title }) => ({ id: to, title: t(title) }))}
        />
        {shown ? (
          <Tabs.Panel value={shown.to} className={classes.panel ?? ''}>
            <Outlet />
          </Tabs.Panel>
        ) : null}
      </Tabs>
    </Page>
  );
}

/** What holds for everybody in the workgroup. */
export function WorkgroupSettingsPage() {
  const { t } = useTranslation();
  const mayManageAccess = usePermission('manageAccess');
  return (
    <div className={classes.sections}>
      <GeneralSection />
      {mayManageAccess ? (
        <Section title={t('workgroup.settings.security')}>
          <MfaPolicy isAlone />
        </Section>
      ) : null}
      {mayManageAccess ? <IdentityProvidersSection /> : null}
    </div>
  );
}

/** Hidden from customers: the guard of its route lets staff in only. */
export const WorkgroupAddonsPage = () => <AddonPanel wg={useWorkgroup()} />;
