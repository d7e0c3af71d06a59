import { Button, Drawer, Menu, Tabs } from '@mantine/core';
import { IconDotsVertical, IconListCheck, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { incidentsQuery } from '../../app/incidents/incidents-query.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Page } from '../../ui/page.tsx';
import { TableSkeleton } from '../../ui/states.tsx';
import { TabList } from '../../ui/tab-list.tsx';
import { useMayEditAlerts } from '../alerts/alerts.queries.ts';
import { ActiveTab } from './active-tab.tsx';
import { AlertTicks } from './alert-ticks.tsx';
import { IncidentDrawer } from './incident-drawer.tsx';
import classes from './incidents.module.css';
import { RiskLine } from './risk-line.tsx';
import { type IncidentsTab, TABS, useIncidentsAddress } from './use-incidents-address.ts';

const HistoryTab = lazy(async () => ({ default: (await import('./history-tab.tsx')).HistoryTab }));
const ChartTab = lazy(async () => ({ default: (await import('./chart-tab.tsx')).ChartTab }));
const LoadTab = lazy(async () => ({ default: (await import('./load-tab.tsx')).LoadTab }));

/** What is wrong, what was, and how much of it people are told; the alerts at the left say which of it is shown. */
export function IncidentsPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [address, change] = useIncidentsAddress();
  const { tab, alerts, incident } = address;
  const [isPicking, setPicking] = useState(false);
  const { data } = useQuery(incidentsQuery(wg));
  const ticks = (
    <AlertTicks chosen={alerts} onChange={(next) => change({ alerts: next })} incidents={data ?? NONE} />
  );
  const panels: Record<IncidentsTab, ReactNode> = {
    active: <ActiveTab address={address} change={change} />,
    all: <HistoryTab address={address} change={change} />,
    chart: <ChartTab address={address} change={change} />,
    load: <LoadTab address={address} change={change} />,
  };
  return (
    <Page
      isFilling
      title={t('incidents.title')}
      context={data ? <RiskLine incidents={data} /> : '\u00a0'}
      actions={<Actions />}
    >
      <div className={classes.page}>
        <aside className={classes.side} aria-label={t('incidents.alerts')}>
          {ticks}
        </aside>
        <div className={classes.main}>
          <div className={classes.pick}>
            <Button
              variant="default"
              leftSection={<IconListCheck size={16} />}
              onClick={() => setPicking(true)}
            >
              {alerts.length === 0
                ? t('incidents.allAlerts')
                : t('incidents.someAlerts', { count: alerts.length })}
            </Button>
          </div>
          <Tabs
            value={tab}
            keepMounted={false}
            className={classes.tabs ?? ''}
            onChange={(next) => change({ tab: TABS.find((one) => one === next) ?? 'active' })}
          >
            <TabList tabs={TABS.map((id) => ({ id, title: t(`incidents.tabs.${id}`) }))} shown={tab} />
            {TABS.map((id) => (
              <Tabs.Panel key={id} value={id} className={classes.panel ?? ''}>
                <Suspense fallback={<TableSkeleton rows={8} />}>{tab === id ? panels[id] : null}</Suspense>
              </Tabs.Panel>
            ))}
          </Tabs>
        </div>
      </div>
      <Drawer
        opened={isPicking}
        onClose={() => setPicking(false)}
        title={t('incidents.alerts')}
        size="min(92vw, 400px)"
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        {ticks}
      </Drawer>
      {incident === null ? null : (
        <IncidentDrawer
          key={incident}
          id={incident}
          onOpen={(next) => change({ incident: next })}
          onClose={() => change({ incident: null })}
        />
      )}
    </Page>
  );
}

const NONE: never[] = [];

/** What those who may make alerts do beside looking at what these find. */
function Actions() {
  const { t } = useTranslation();
  const mayEdit = useMayEditAlerts();
  if (!mayEdit) {
    return (
      <Button variant="default" component={Link} to="/alerts/suppressions">
        {t('incidents.suppressions')}
      </Button>
    );
  }
  return (
    <>
      <Button component={Link} to="/alerts/new" leftSection={<IconPlus size={16} />}>
        {t('incidents.newAlert')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" px={8} aria-label={t('incidents.more')}>
            <IconDotsVertical size={18} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item renderRoot={(props) => <Link {...props} to="/alerts/suppressions" />}>
            {t('incidents.suppressions')}
          </Menu.Item>
          <Menu.Item renderRoot={(props) => <Link {...props} to="/alerts/settings" />}>
            {t('incidents.settings')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
