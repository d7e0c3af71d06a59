import type { Device } from '@albedo/contract/devices/devices.schema';
import type { DeviceSchedule, DeviceSetpoint } from '@albedo/contract/schedules/schedules.schema';
import { Anchor } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { useSearchChange } from '../../ui/data-table/use-table-address.ts';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { FormSkeleton } from '../../ui/skeletons.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { zoneLabel } from '../../ui/time-range/zoned-time.ts';
import { ApprovalCards } from './approval-cards.tsx';
import { DeviceScheduleList } from './device-schedule-list.tsx';
import { DiscoverButton } from './discover-button.tsx';
import { bySetpoint, holdingOf } from './holding.ts';
import { kindText } from './holding-text.ts';
import classes from './schedules.module.css';
import { SetpointPanel } from './setpoint-panel.tsx';
import { useControlled, useWhyNot } from './use-controlled.ts';
import { valueText } from './values.ts';
import { VersionsSection } from './versions-section.tsx';
import { WhyButton } from './why-button.tsx';

/** Setpoints of a device: what holds now and until when, its schedules, and all that was ever sent. */
export function DeviceControlPage() {
  const { t } = useTranslation();
  const { deviceId } = useParams({ strict: false }) as { deviceId: string };
  const now = useNow(60_000);
  const { device, setpoints, schedules, zone, error, retry } = useControlled(deviceId);
  const isThere = device && setpoints && schedules;
  const context = (
    <>
      <Anchor underline="always" component={Link} to="/control/devices" inherit>
        {t('menu.deviceSchedules')}
      </Anchor>
      {device ? ` · ${t('schedules.siteTime', { zone: zoneLabel(zone, now) })}` : null}
    </>
  );
  const hasSetpoints = (setpoints?.length ?? 0) > 0;
  return (
    <Page
      title={device?.name ?? '\u00a0'}
      context={context}
      actions={device && hasSetpoints ? <DiscoverButton device={device} isFirst={false} /> : null}
    >
      {error ? <ErrorState title={t('schedules.failed')} error={error} onRetry={retry} /> : null}
      {isThere || error ? null : <FormSkeleton fields={5} />}
      {isThere && hasSetpoints ? (
        <Setpoints device={device} setpoints={setpoints} schedules={schedules} zone={zone} />
      ) : null}
      {isThere && !hasSetpoints ? (
        <EmptyState title={t('schedules.discover.none')} text={t('schedules.discover.noneText')}>
          <DiscoverButton device={device} isFirst />
        </EmptyState>
      ) : null}
    </Page>
  );
}

interface SetpointsProps {
  device: Device;
  setpoints: readonly DeviceSetpoint[];
  schedules: readonly DeviceSchedule[];
  zone: string;
}

function Setpoints({ device, setpoints, schedules, zone }: SetpointsProps) {
  const { t } = useTranslation();
  const now = useNow(10_000);
  const search = useSearch({ strict: false }) as { setpoint?: string };
  const changeSearch = useSearchChange();
  const navigate = useNavigate();
  const whyNot = useWhyNot();
  const sorted = setpoints.toSorted(bySetpoint);
  const shown = sorted.find(({ path }) => path === search.setpoint) ?? sorted[0];
  if (!shown) return null;
  const holding = holdingOf(shown, schedules, now);
  const own = schedules.filter(({ setpoint }) => setpoint === shown.path);
  const create = (
    <WhyButton
      size="xs"
      variant="default"
      why={whyNot ?? (shown.type === 'fixed' ? t('schedules.isFixed') : null)}
      leftSection={<IconPlus size={16} />}
      onClick={() =>
        void navigate({
          to: '/control/devices/$deviceId/$schedule',
          params: { deviceId: device.id, schedule: 'new' },
          search: { setpoint: shown.path } as never,
        })
      }
    >
      {t('schedules.create')}
    </WhyButton>
  );
  return (
    <>
      <ApprovalCards schedules={schedules} zone={zone} />
      {sorted.length > 1 ? (
        <div className={classes.tiles} role="tablist" aria-label={t('schedules.setpoints')}>
          {sorted.map((one) => {
            const { value } = holdingOf(one, schedules, now);
            return (
              <button
                key={one.path}
                type="button"
                role="tab"
                aria-selected={one === shown}
                className={classes.tile}
                onClick={() =>
                  changeSearch({ setpoint: one === sorted[0] ? undefined : one.path, versions: undefined })
                }
              >
                <span className={classes.tileName}>{kindText(t, one.kind)}</span>
                <span className={classes.tileValue}>{valueText(t, one.kind, value)}</span>
                <span className={classes.tileNote}>{one.provider}</span>
              </button>
            );
          })}
        </div>
      ) : null}
      <SetpointPanel key={shown.path} device={device} holding={holding} zone={zone} />
      <Section
        title={t('schedules.ofDevice')}
        context={t('schedules.ofDeviceContext')}
        actions={own.length > 0 ? create : null}
        isFlush={own.length > 0}
      >
        <DeviceScheduleList schedules={own} holding={holding} zone={zone} create={create} />
      </Section>
      <VersionsSection device={device.id} setpoint={shown} zone={zone} />
    </>
  );
}
