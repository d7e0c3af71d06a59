import { Button, Skeleton, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../app/call.ts';
import { useLooks } from '../app/looks.ts';
import { useWorkgroup } from '../app/session.ts';
import { DeviceActions, DeviceContext } from '../features/devices/device-header.tsx';
import { deviceQuery } from '../features/devices/devices.queries.ts';
import { Page } from '../ui/page.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { DeviceGeneral } from './device.general.tsx';
import classes from './device.module.css';

const LiveFeed = lazy(async () => ({
  default: (await import('../features/telemetry/live-feed.tsx')).LiveFeed,
}));
const DataExplorer = lazy(async () => ({
  default: (await import('../features/telemetry/data-explorer.tsx')).DataExplorer,
}));

const TABS = [
  { id: 'general', content: DeviceGeneral },
  { id: 'live-feed', content: LiveFeed },
  { id: 'data', content: DataExplorer },
] as const;

export function DevicePage() {
  const { t } = useTranslation();
  const { deviceId = '', tab = 'general' } = useParams({ strict: false });
  const wg = useWorkgroup();
  const navigate = useNavigate();
  const { data: device, isPending, error, refetch } = useQuery(deviceQuery(wg, deviceId));
  const shown = TABS.find((one) => one.id === tab) ?? TABS[0];

  const name = device?.name;
  const title = t(`device.tabs.${shown.id}`);
  const looks = useLooks();
  useEffect(() => {
    if (name !== undefined) document.title = `${name} · ${title} · ${looks.title}`;
  }, [name, title, looks.title]);

  if (!device) {
    return (
      <Page title={isPending ? <Skeleton height={26} width={220} /> : t('device.title')}>
        {isPending ? <Skeleton height={420} /> : <NoDevice error={error} onRetry={() => void refetch()} />}
      </Page>
    );
  }
  const Content = shown.content;
  return (
    <Page
      title={device.name}
      context={<DeviceContext device={device} />}
      actions={<DeviceActions device={device} />}
    >
      <Tabs
        value={shown.id}
        onChange={(next) => {
          if (next) void navigate({ to: '/devices/$deviceId/$tab', params: { deviceId, tab: next } });
        }}
        keepMounted={false}
      >
        <Tabs.List className={classes.tabs}>
          {TABS.map((one) => (
            <Tabs.Tab key={one.id} value={one.id}>
              {t(`device.tabs.${one.id}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={shown.id} pt="md">
          <Suspense fallback={<Skeleton height={420} />}>
            <Content key={device.id} device={device} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function NoDevice({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  const isMissing = error instanceof ApiError && (error.code === 404 || error.code === 400);
  if (!isMissing) return <ErrorState title={t('device.failed')} error={error} onRetry={onRetry} />;
  return (
    <EmptyState title={t('device.missing')} text={t('device.missingText')}>
      <Button variant="default" renderRoot={(props) => <Link {...props} to="/devices" />}>
        {t('device.all')}
      </Button>
    </EmptyState>
  );
}
