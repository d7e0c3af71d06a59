import { Button, Skeleton, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../app/call.ts';
import { announced } from '../../app/inside.ts';
import { useLooks } from '../../app/looks.ts';
import { useRights } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { TabList } from '../../ui/tab-list.tsx';
import { AwaitedCard } from './awaited-card.tsx';
import { DeviceActions, DeviceContext } from './device-header.tsx';
import classes from './device-page.module.css';
import { isAwaited } from './device-state.ts';
import { deviceQuery } from './devices.queries.ts';
import { QuarantineCard } from './quarantine-card.tsx';

export function DevicePage() {
  const { t } = useTranslation();
  const { deviceId = '', tab = 'general' } = useParams({ strict: false });
  const wg = useWorkgroup();
  const navigate = useNavigate();
  const { data: device, isPending, error, refetch } = useQuery(deviceQuery(wg, deviceId));
  const hasRight = useRights();
  const tabs = announced('device').filter(({ right }) => right === undefined || hasRight(right));
  const shown = tabs.find(({ id }) => id === tab);

  const name = device?.name;
  const title = t(shown?.title ?? 'device.title');
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
  return (
    <Page
      title={<span className={classes.grown}>{device.name}</span>}
      context={<DeviceContext device={device} />}
      actions={<DeviceActions device={device} />}
    >
      {device.quarantine ? (
        <QuarantineCard device={device} />
      ) : isAwaited(device) && !device.ced ? (
        <AwaitedCard device={device} />
      ) : null}
      {announced('deviceTop').map(({ at, Content }) => (
        <Suspense key={at}>
          <Content device={device} />
        </Suspense>
      ))}
      <Tabs
        value={shown?.id ?? null}
        onChange={(next) => {
          if (next) void navigate({ to: '/devices/$deviceId/$tab', params: { deviceId, tab: next } });
        }}
        keepMounted={false}
      >
        <TabList shown={shown?.id ?? null} tabs={tabs.map((one) => ({ id: one.id, title: t(one.title) }))} />
        {shown ? (
          <Tabs.Panel value={shown.id} pt="md">
            <Suspense fallback={<Skeleton height={420} />}>
              <shown.Content key={device.id} device={device} />
            </Suspense>
          </Tabs.Panel>
        ) : null}
      </Tabs>
      {shown ? null : <NoTab deviceId={deviceId} tab={tab} />}
    </Page>
  );
}

/** The address names a tab that there is none of, or that somebody else may open. */
function NoTab({ deviceId, tab }: { deviceId: string; tab: string }) {
  const { t } = useTranslation();
  const hidden = announced('device').find(({ id }) => id === tab);
  return (
    <EmptyState
      title={hidden ? t('device.tabHidden', { tab: t(hidden.title) }) : t('device.noTab', { tab })}
      text={t(hidden ? 'device.tabHiddenText' : 'device.noTabText')}
    >
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link {...props} to="/devices/$deviceId/$tab" params={{ deviceId, tab: 'general' }} />
        )}
      >
        {t('device.firstTab')}
      </Button>
    </EmptyState>
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
